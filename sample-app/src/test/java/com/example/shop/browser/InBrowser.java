package com.example.shop.browser;

import com.example.shop.NeedsPrograms;
import com.example.shop.Program;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that needs Chromium and its driver. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@NeedsPrograms({Program.CHROMIUM, Program.CHROMEDRIVER})
@interface InBrowser {}
