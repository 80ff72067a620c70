// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * JUnit extension that provides a page of one browser, which lives as long as the JVM. After each test the page must have
 * loaded nothing from outside, and the browser must have logged no error.
 */
final class Chromium implements BeforeAllCallback, ParameterResolver, AfterEachCallback {
    private static final Namespace OURS = Namespace.create(Chromium.class);

    /** Runs in every page before its own scripts. */
    private static final String NOTE_WHEN_READY = """
            new MutationObserver(() => window.readyAt ??= performance.now())
                .observe(document, {subtree: true, attributes: true, attributeFilter: ['data-ready']})
            """;

    /** Closed with the store that holds it. */
    private record Session(ChromeDriver driver) implements AutoCloseable {
        @Override
        public void close() {
            driver.quit();
        }
    }

    /** It looks for a DevTools version that it does not have; the tests need none. */
    private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

    private static Session begin() {
        DEVTOOLS.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Program.CHROMIUM.path().toFile());
        // The sandbox refuses root; a container's /dev/shm is small.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--force-device-scale-factor=1",
                "--lang=en-US",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run");
        LoggingPreferences log = new LoggingPreferences();
        log.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, log);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Program.CHROMEDRIVER.path().toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", NOTE_WHEN_READY));
        return new Session(driver);
    }

    private static Session session(ExtensionContext context) {
        return context.getRoot().getStore(OURS).getOrComputeIfAbsent(Session.class, any -> begin(), Session.class);
    }

    private static ReportPage page(ExtensionContext context) {
        return context.getStore(OURS)
                .getOrComputeIfAbsent(
                        ReportPage.class, any -> new ReportPage(session(context).driver), ReportPage.class);
    }

    /** Without a browser, a test class fails once, with one line. */
    @Override
    public void beforeAll(ExtensionContext context) {
        session(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ReportPage.class;
    }

    @Override
    public ReportPage resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return page(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            page(context).assertSilent();
        }
    }
}
