package io.distributedlock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.core.io.Resource;

class LockConsoleEndpointTests {

    private final LockConsoleEndpoint console = new LockConsoleEndpoint();

    @Test
    void thePageAndItsPartsAreThereWithTheirTypes() throws IOException {
        assertThat(console.page().getContentType()).hasToString("text/html;charset=UTF-8");
        assertThat(text(console.page())).contains("lockconsole/console.css").contains("lockconsole/console.js");
        assertThat(console.part("console.css").getContentType()).hasToString("text/css;charset=UTF-8");
        assertThat(text(console.part("console.css"))).contains("prefers-color-scheme: dark");
        assertThat(console.part("console.js").getContentType()).hasToString("text/javascript;charset=UTF-8");
        assertThat(text(console.part("console.js"))).contains("fetch('locks?'");
    }

    @Test
    void nothingElseIsServed() {
        for (String other : new String[] {"console.html", "../LocksEndpoint.class", "LocksEndpoint.class", ""}) {
            assertThat(console.part(other).getStatus()).isEqualTo(404);
        }
    }

    /** Ids of locks are data of users. */
    @Test
    void thePageRefersToNoOtherPlaceAndWritesDataAsText() throws IOException {
        for (WebEndpointResponse<Resource> part :
                new WebEndpointResponse[] {console.page(), console.part("console.css"), console.part("console.js")}) {
            assertThat(text(part)).doesNotContain("://", "url(", "@import", "src=\"//", "href=\"//");
        }
        assertThat(text(console.part("console.js")))
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(");
        assertThat(text(console.page())).contains("default-src 'none'").doesNotContain("onclick", "style=");
    }

    private static String text(WebEndpointResponse<Resource> answer) throws IOException {
        return answer.getBody().getContentAsString(StandardCharsets.UTF_8);
    }
}
