package com.example.shop.demo;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The demonstrations over HTTP; each answers when it is done. */
@RestController
@RequestMapping("/demo")
class DemoController {

    private final FlashSale flashSale;
    private final ReportService reports;

    DemoController(FlashSale flashSale, ReportService reports) {
        this.flashSale = flashSale;
        this.reports = reports;
    }

    @PostMapping("/flash-sale")
    FlashSaleResult flashSale(
            @RequestParam(defaultValue = "500") @Min(1) @Max(5000) int buyers,
            @RequestParam(defaultValue = "100") @Min(0) @Max(5000) int stock,
            @RequestParam(defaultValue = "lock") @Pattern(regexp = "none|lock|segments") String lock) {
        return flashSale.run(buyers, stock, Guard.of(lock));
    }

    @PostMapping("/report")
    Report report(@RequestParam(defaultValue = "40") @Min(1) @Max(600) int seconds) {
        return reports.run(Duration.ofSeconds(seconds));
    }
}
