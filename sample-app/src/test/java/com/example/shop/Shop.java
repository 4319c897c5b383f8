package com.example.shop;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A running shop as its clients see it; an answer that takes a minute is a failure. */
public record Shop(int port) {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** A shop that has sold something already: in a fresh JVM on a busy machine, the first lock may come too early for the connection. */
    public static Shop openAt(int port) {
        Shop shop = new Shop(port);
        await().atMost(LIMIT)
                .until(() -> shop.post("/demo/flash-sale?buyers=1&stock=1").status() == 200);
        return shop;
    }

    Answer order(long userId, long productId) {
        return order("{\"userId\":%d,\"productId\":%d}".formatted(userId, productId));
    }

    Answer order(String json) {
        return send(orderRequest(json));
    }

    public CompletableFuture<Answer> orderMeanwhile(long userId, long productId) {
        String json = "{\"userId\":%d,\"productId\":%d}".formatted(userId, productId);
        return HTTP.sendAsync(orderRequest(json), BodyHandlers.ofString()).thenApply(Answer::of);
    }

    Answer get(String path) {
        return send(to(path).GET().build());
    }

    public Answer post(String path) {
        return send(postRequest(path));
    }

    public CompletableFuture<Answer> postMeanwhile(String path) {
        return HTTP.sendAsync(postRequest(path), BodyHandlers.ofString()).thenApply(Answer::of);
    }

    int stockOf(long productId) {
        return get("/products")
                .json()
                .valueStream()
                .filter(product -> product.get("id").asLong() == productId)
                .map(product -> product.get("stock").asInt())
                .findFirst()
                .orElseThrow();
    }

    private HttpRequest orderRequest(String json) {
        return to("/orders")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
    }

    private HttpRequest postRequest(String path) {
        return to(path).POST(HttpRequest.BodyPublishers.noBody()).build();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LIMIT);
    }

    private static Answer send(HttpRequest request) {
        try {
            return Answer.of(HTTP.send(request, BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
