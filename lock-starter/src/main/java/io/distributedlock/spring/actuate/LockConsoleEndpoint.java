package io.distributedlock.spring.actuate;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * The endpoint {@code lockconsole}: a page that shows in a browser what the endpoint {@code locks} beside it answers.
 * It has no data of its own and asks no other place. Paths, exposure and security are those of any endpoint.
 */
@WebEndpoint(id = "lockconsole")
public final class LockConsoleEndpoint {

    private static final String FOLDER = "console/";

    @ReadOperation(produces = "text/html")
    public WebEndpointResponse<Resource> page() {
        return answer("console.html", "text/html;charset=UTF-8");
    }

    /** A file that the page refers to. */
    @ReadOperation(produces = {"text/css", "text/javascript"})
    public WebEndpointResponse<Resource> part(@Selector String file) {
        return switch (file) {
            case "console.css" -> answer(file, "text/css;charset=UTF-8");
            case "console.js" -> answer(file, "text/javascript;charset=UTF-8");
            default -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        };
    }

    private static WebEndpointResponse<Resource> answer(String file, String type) {
        return new WebEndpointResponse<>(
                new ClassPathResource(FOLDER + file, LockConsoleEndpoint.class),
                WebEndpointResponse.STATUS_OK,
                MimeType.valueOf(type));
    }
}
