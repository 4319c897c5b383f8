package com.example.orders;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class OrdersApplication {}
