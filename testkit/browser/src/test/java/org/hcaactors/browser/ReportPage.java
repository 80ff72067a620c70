// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.TimeoutException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A report in a browser: what a person does there, and what stands there. */
final class ReportPage {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    private static final Dimension WINDOW = new Dimension(1400, 1000);

    private static final Pattern EVENT = Pattern.compile("^event (\\d+)");

    /** A row of the inspector. */
    record Field(String name, String bits, String bytes, String value, String meaning) {}

    private final ChromeDriver driver;
    private final WebDriverWait patiently;

    ReportPage(ChromeDriver driver) {
        this.driver = driver;
        patiently = new WebDriverWait(driver, TIMEOUT);
        // The page makes parts of itself anew while somebody looks.
        patiently.pollingEvery(BETWEEN_LOOKS).ignoring(StaleElementReferenceException.class);
    }

    ReportPage open(Recording run) {
        return open(run.report());
    }

    ReportPage open(Path file) {
        return open(file.toUri());
    }

    /** It has drawn itself when this returns. */
    ReportPage open(URI address) {
        driver.manage().window().setSize(WINDOW);
        driver.get(address.toString());
        patiently.until(any -> has("body[data-ready=true]"));
        return this;
    }

    /** Nothing came from outside, and the browser complained of nothing: of no script that failed, and of none that it kept from running. */
    void assertSilent() {
        assertThat(script("return performance.getEntriesByType('resource').map(one => one.name)"))
                .as("asked for")
                .isEqualTo(List.of());
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .as("the browser's log")
                .extracting(LogEntry::toString)
                .isEmpty();
    }

    /** What it returns: numbers as Long or Double, lists, objects as maps. */
    Object script(String body, Object... arguments) {
        return requireNonNull(driver.executeScript(body, arguments), body);
    }

    /** The same where the body calls its last argument with what it comes to. */
    Object scriptThatCalls(String body, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(TIMEOUT);
        return requireNonNull(driver.executeAsyncScript(body, arguments), body);
    }

    /** Waits until it shows that; fails with what it shows instead. */
    <T> void awaits(Supplier<T> shown, T requested) {
        try {
            patiently.until(any -> requested.equals(shown.get()));
        } catch (TimeoutException late) {
            assertThat(shown.get()).as("after %s", TIMEOUT).isEqualTo(requested);
        }
    }

    boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    WebElement one(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** What a person reads there; elements that are not shown have none. */
    List<String> texts(String selector) {
        return driver.findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    String text(String selector) {
        return one(selector).getText();
    }

    /** Whatever it looks like: with each blank, and what is hidden. */
    String content(String selector) {
        return String.valueOf(one(selector).getDomProperty("textContent"));
    }

    String theme() {
        return String.valueOf(one("body").getDomAttribute("data-theme"));
    }

    void turnTo(String theme) {
        if (!theme().equals(theme)) {
            one("#theme").click();
        }
        awaits(this::theme, theme);
    }

    void view(String name) {
        one("button[data-view=" + name + "]").click();
        awaits(() -> one("#" + name).isDisplayed(), true);
    }

    /** Instead of what stood there. */
    void filter(String query) {
        one("#filter").sendKeys(Keys.chord(Keys.CONTROL, "a"), query.isEmpty() ? Keys.BACK_SPACE : query);
    }

    String filterSays() {
        return text("#filter-says");
    }

    /** On its mark in the ladder, which scrolls there. */
    void click(long event) {
        List<?> at = (List<?>) script("const at = window.hcaReport.place(arguments[0]); return [at.x, at.y]", event);
        new Actions(driver, Duration.ZERO)
                .moveToLocation(pixel(at.getFirst()), pixel(at.getLast()))
                .click()
                .perform();
    }

    private static int pixel(Object number) {
        return (int) Math.round(((Number) number).doubleValue());
    }

    /** To whatever has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver, Duration.ZERO).sendKeys(keys).perform();
    }

    /** The event that is explained; 0 where none is selected. */
    long selected() {
        Matcher event = EVENT.matcher(has("#explanation .facts") ? content("#explanation .facts") : "");
        return event.find() ? Long.parseLong(event.group(1)) : 0;
    }

    /** What happened, and why, from the nearest cause to the first. */
    List<String> explanation() {
        return texts("#explanation .what, #explanation li.because");
    }

    /** What the inspector shows of the packets of these events: of each, its fields by header and name. */
    List<?> shown(List<Long> events) {
        return (List<?>) script("return arguments[0].map(id => window.hcaReport.shown(id))", events);
    }

    List<Field> fields() {
        List<?> rows = (List<?>) script("""
                return [...document.querySelectorAll('#inspector .field')].map(row =>
                    ['name', 'bits', 'bytes', 'value', 'meaning'].map(part => row.querySelector('.' + part)?.innerText ?? ''))
                """);
        return rows.stream()
                .map(row -> ((List<?>) row).stream().map(String::valueOf).toList())
                .map(row -> new Field(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4)))
                .toList();
    }

    byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** As on a screen with so many pixels to each of the page's, or as somebody zooms in. */
    void scale(double factor) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 0, "height", 0, "deviceScaleFactor", factor, "mobile", false));
    }

    /** As a system says that is set to light or dark. */
    void prefer(String theme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }
}
