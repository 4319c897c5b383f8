package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the shop answered. */
public record Answer(HttpResponse<String> response) {

    static Answer of(HttpResponse<String> response) {
        return new Answer(response);
    }

    public int status() {
        return response.statusCode();
    }

    public String text() {
        return response.body();
    }

    public JsonNode json() {
        return JsonMapper.shared().readTree(text());
    }

    @Nullable
    String header(String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    /** Checks that this is a problem+json with this status, and gives it. */
    JsonNode problem(int status) {
        assertThat(status()).as(text()).isEqualTo(status);
        assertThat(header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(json().get("status").asInt()).isEqualTo(status);
        return json();
    }

    /** Checks that this is a success with this status, and gives the JSON. */
    JsonNode success(int status) {
        assertThat(status()).as(text()).isEqualTo(status);
        return json();
    }
}
