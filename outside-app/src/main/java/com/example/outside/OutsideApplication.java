package com.example.outside;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class OutsideApplication {

    public static void main(String[] args) {
        SpringApplication.run(OutsideApplication.class, args);
    }
}
