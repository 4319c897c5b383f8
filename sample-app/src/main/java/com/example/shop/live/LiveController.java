package com.example.shop.live;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What the page listens to. */
@RestController
class LiveController {

    private final LiveFeed feed;

    LiveController(LiveFeed feed) {
        this.feed = feed;
    }

    @GetMapping(path = "/demo/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter live() {
        return feed.open();
    }
}
