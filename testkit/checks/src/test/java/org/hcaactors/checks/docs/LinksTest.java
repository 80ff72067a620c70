// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.hcaactors.checks.docs.MarkdownPage.Link;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relative links of the pages lead to files and headings that are there; what the build makes below a target folder is left out. */
class LinksTest {
    /** Links that do not hold what a test asks for, each with its page. */
    private static List<String> linksThatFail(BiPredicate<MarkdownPage, Link> holds) throws IOException {
        return MarkdownPage.all().stream()
                .filter(page -> !isOfTheSite(page))
                .flatMap(page -> page.links().stream()
                        .filter(link -> !isMade(page.target(link)) && !holds.test(page, link))
                        .map(link -> page.file() + ": " + link))
                .toList();
    }

    @Test
    void everyLinkLeadsToAnExistingFile() throws IOException {
        assertThat(MarkdownPage.all()).hasSizeGreaterThan(50);
        assertThat(linksThatFail((page, link) -> Files.exists(page.target(link))))
                .isEmpty();
    }

    @Test
    void everyAnchorIsOneOfAHeading() throws IOException {
        assertThat(linksThatFail((page, link) -> link.anchor().isEmpty() || hasAnchor(page, link)))
                .isEmpty();
    }

    private static boolean hasAnchor(MarkdownPage page, Link link) {
        Path target = page.target(link);
        return Files.exists(target) && MarkdownPage.read(target).anchors().contains(link.anchor());
    }

    /** The home page stands elsewhere in the site, which checks its links. */
    private static boolean isOfTheSite(MarkdownPage page) {
        return StreamSupport.stream(page.file().spliterator(), false).anyMatch(Path.of(".vitepress")::equals);
    }

    private static boolean isMade(Path target) {
        return Stream.of(target.toString().replace('\\', '/').split("/")).anyMatch("target"::equals);
    }

    @Test
    void anchorsAreMadeAsGitHubMakesThem() {
        MarkdownPage page =
                new MarkdownPage(Path.of("page.md"), "# A `Code`, and [more](x.md)!\n\n## Twice\n\n## Twice\n");
        assertThat(page.anchors()).containsExactlyInAnyOrder("a-code-and-more", "twice", "twice-1");
    }

    @Test
    void aLinkInACodeBlockIsIgnored(@TempDir Path folder) throws IOException {
        MarkdownPage page = MarkdownPage.read(
                Files.writeString(folder.resolve("page.md"), "[a](b.md#c) [d](https://e)\n\n```\n[f](g.md)\n```\n"));
        assertThat(page.links()).containsExactly(new Link("b.md", "c"));
    }
}
