package com.example.shop.web;

import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The start page: the things to try, as lines for a terminal, or as a page for a browser. */
@RestController
class HomeController {

    private static final String PAGE = """
            A small shop that takes its orders under distributed locks. A browser shows them live at {shop}.
            Things to try:

            # products, and the latest orders
            curl -s {shop}/products
            curl -s {shop}/orders

            # an order; then two at the same time by one user: one gets 201, the other 409
            curl -s {shop}/orders -H 'Content-Type: application/json' -d '{"userId":42,"productId":7}'
            for i in 1 2; do
              curl -s {shop}/orders -H 'Content-Type: application/json' -d '{"userId":42,"productId":7}' &
            done; wait

            # 500 buyers rush at 100 pieces: without a lock too many are sold, with it exactly 100
            curl -s -X POST '{shop}/demo/flash-sale?buyers=500&stock=100&lock=none'
            curl -s -X POST '{shop}/demo/flash-sale?buyers=500&stock=100&lock=lock'
            # the same with the stock on ten shelves, each with a lock of its own: exactly 100 again, and sooner
            curl -s -X POST '{shop}/demo/flash-sale?buyers=500&stock=100&lock=segments'

            # a report that takes longer than its lock's 30 s: the log shows the renewals; a second one gets 409
            curl -s -X POST '{shop}/demo/report?seconds=40'
            """;

    /** A browser names HTML among what it accepts, a terminal does not. */
    @GetMapping("/")
    ResponseEntity<?> home(@RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = "") String accepted) {
        if (accepted.contains(MediaType.TEXT_HTML_VALUE)) {
            return ResponseEntity.ok()
                    .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                    .body(new ClassPathResource("static/shop.html"));
        }
        String shop = ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
        return ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(PAGE.replace("{shop}", shop));
    }
}
