package com.example.shop.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.shop.Program;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.awaitility.core.ThrowingRunnable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.AddHasCdp;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.chromium.ChromiumDriverCommandExecutor;
import org.openqa.selenium.chromium.HasCdp;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.RemoteExecuteMethod;
import org.openqa.selenium.remote.RemoteWebDriver;
import org.openqa.selenium.remote.http.ClientConfig;

/** One window of a headless Chromium: what a person does in it and sees in it, screen readers included. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final RemoteWebDriver driver;
    private final HasCdp protocol;

    /** Not by {@code ChromeDriver}, which wants the program that looks for browsers elsewhere. */
    private Browser(ChromeDriverService service, ChromeOptions options) {
        AddHasCdp commands = new AddHasCdp();
        driver = new RemoteWebDriver(
                new ChromiumDriverCommandExecutor(
                        service, commands.getAdditionalCommands(), ClientConfig.defaultConfig()),
                options);
        protocol = commands.getImplementation(driver.getCapabilities(), new RemoteExecuteMethod(driver));
    }

    /** @param language that of its user, for example {@code zh-CN} */
    static Browser start(String language) {
        LoggingPreferences complaints = new LoggingPreferences();
        complaints.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Program.CHROMIUM.path().toFile());
        options.setCapability("goog:loggingPrefs", complaints);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--disable-lcd-text",
                "--accept-lang=" + language,
                "--window-size=1280,900");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Program.CHROMEDRIVER.path().toFile())
                .usingAnyFreePort()
                .build();
        return new Browser(service, options);
    }

    void open(String address) {
        driver.get(address);
    }

    void looksLike(String scheme) {
        protocol.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void isWide(int pixels, int height) {
        protocol.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** The row of the table that this name heads. */
    WebElement row(String name) {
        return driver.findElement(By.xpath("//tbody/tr[th[. = '" + name + "']]"));
    }

    /** What a person can read of an element; empty if it is hidden. */
    String text(String selector) {
        return find(selector).getText();
    }

    List<String> texts(String selector) {
        return driver.findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    int count(String selector) {
        return driver.findElements(By.cssSelector(selector)).size();
    }

    /** Presses the one button with this name, as soon as it can be pressed. */
    void press(String name) {
        await().atMost(PATIENCE).until(() -> button(name).isEnabled());
        button(name).click();
    }

    boolean canPress(String name) {
        return button(name).isEnabled();
    }

    private WebElement button(String name) {
        List<WebElement> named = driver.findElements(By.xpath("//button[. = '" + name + "']")).stream()
                .filter(button -> button.getAccessibleName().equals(name))
                .toList();
        assertThat(named).as("buttons with the name %s", name).hasSize(1);
        return named.get(0);
    }

    /** Types where the focus is. */
    void type(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Moves the focus as the keyboard does, and names where it is: role and name, as a screen reader says them. */
    String tab() {
        type(Keys.TAB);
        return focused();
    }

    String focused() {
        return spoken(driver.switchTo().activeElement());
    }

    static String spoken(WebElement element) {
        return element.getAriaRole() + " " + element.getAccessibleName();
    }

    /** Waits for what a person waits for, through rows that are drawn anew meanwhile. */
    void see(ThrowingRunnable what) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsMatching(thrown ->
                        thrown instanceof NotFoundException || thrown instanceof StaleElementReferenceException)
                .untilAsserted(what);
    }

    /** Whether everything fits into the width of the window. */
    boolean isNoWiderThanItsWindow() {
        return Boolean.TRUE.equals(driver.executeScript(
                "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"));
    }

    /** What the browser itself complains of, such as scripts that a policy forbids; answers of the network left out. */
    List<String> complaints() {
        return Stream.of(driver.manage().logs().get(LogType.BROWSER))
                .flatMap(entries -> entries.getAll().stream())
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains("Failed to load resource"))
                .toList();
    }

    /** Writes the picture of the page, as far as the window shows it, in few colours: so it is small. */
    void photograph(Path file) {
        try {
            BufferedImage picture = ImageIO.read(new ByteArrayInputStream(driver.getScreenshotAs(OutputType.BYTES)));
            Files.createDirectories(file.getParent());
            ImageIO.write(Palette.of(picture).applied(picture), "png", file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
