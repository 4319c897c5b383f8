package com.example.shop.demo;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The demonstrations over HTTP; each answers when it is done. */
@RestController
@RequestMapping("/demo")
class DemoController {

    private final FlashSale flashSale;
    private final ReportService reports;
    private final Incident incident;
    private final SecondShop secondShop;

    DemoController(FlashSale flashSale, ReportService reports, Incident incident, SecondShop secondShop) {
        this.flashSale = flashSale;
        this.reports = reports;
        this.incident = incident;
        this.secondShop = secondShop;
    }

    @PostMapping("/flash-sale")
    FlashSaleResult flashSale(
            @RequestParam(defaultValue = "500") @Min(1) @Max(5000) int buyers,
            @RequestParam(defaultValue = "100") @Min(0) @Max(5000) int stock,
            @RequestParam(defaultValue = "lock") @Pattern(regexp = "none|lock|segments") String lock) {
        return flashSale.run(buyers, stock, Guard.of(lock));
    }

    @PostMapping("/report")
    Report report(
            @RequestParam(defaultValue = "40") @Min(1) @Max(600) int seconds,
            @RequestParam(defaultValue = "false") boolean waiting) {
        Duration length = Duration.ofSeconds(seconds);
        return waiting ? reports.runNext(length) : reports.run(length);
    }

    /** What happens is shown by the page. */
    @PostMapping("/incident")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void incident() {
        if (!incident.begin()) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT,
                    "It happens already, or Redis is not the embedded one, whose replies can be lost on purpose");
        }
    }

    /** It writes the report as soon as it has started and the lock is free. */
    @PostMapping("/second-shop")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void startSecondShop() throws IOException {
        if (!secondShop.start()) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT, "It runs already, or Redis is not the embedded one, which both could use");
        }
    }

    @DeleteMapping("/second-shop")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void killSecondShop() {
        if (!secondShop.kill()) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "No second shop of this one runs");
        }
    }
}
