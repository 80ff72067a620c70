// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchor } from './markdown.mjs'
import { navigation } from './navigation.mjs'
import { base, cache, pages, site } from './places.mjs'

const sections = navigation(pages)
const repository = process.env.DOCS_REPOSITORY

/** Maximum characters of a name that stays in one line. */
const SHORT = 16

/** A diagram is drawn in the browser, so that it follows the light or dark theme. */
function diagrams(markdown) {
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<ClientOnly><MermaidDiagram code="${encodeURIComponent(tokens[index].content)}" /></ClientOnly>`
      : fence(tokens, index, ...rest)
}

/** A long name breaks into lines before a dot, or behind a bracket, a slash or an underscore. */
function longNames(markdown) {
  const code = markdown.renderer.rules.code_inline
  markdown.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = code(tokens, index, ...rest)
    const long = tokens[index].content.length > SHORT
    return long ? html.replace(/>[^<]+</, (text) => text.replace(/(?<=\w)\.(?=[a-z])|(?<=\))\./gi, '<wbr>.').replace(/[(/_](?=\w)/g, '$&<wbr>')) : html
  }
}

/** A wide table scrolls in a box of its own. */
function wideTables(markdown) {
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table tabindex="-1">\n'
  markdown.renderer.rules.table_close = () => '</table></div>\n'
}

export default defineConfig({
  title: 'hca-actors',
  description: 'A model of an RDMA network adapter inside a JVM',
  lang: 'en',
  base,
  srcDir: pages,
  srcExclude: ['public/**'], // Javadoc has licences in Markdown
  outDir: site,
  cacheDir: cache,
  markdown: {
    html: false,
    anchor: { slugify: anchor },
    toc: { slugify: anchor },
    languageAlias: { hocon: 'hcl', console: 'shellsession' },
    config(markdown) {
      diagrams(markdown)
      longNames(markdown)
      wideTables(markdown)
    },
  },
  // A page without sections has no outline, and its tables use that space.
  transformPageData({ relativePath, frontmatter }) {
    frontmatter.aside ??= /^## /m.test(readFileSync(join(pages, relativePath), 'utf8'))
  },
  vite: { build: { chunkSizeWarningLimit: 4000 }, publicDir: `${pages}/public` },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: sections.map(({ text, groups }) => ({ text, link: groups[0].items[0].link, activeMatch: active(groups) })),
    sidebar: sidebars(),
    socialLinks: repository ? [{ icon: 'github', link: repository.replace(/\/blob\/.*$/, '') }] : undefined,
    footer: { message: 'Apache License 2.0. Mellanox, ConnectX and NVIDIA are trademarks of their owners, who have no part in this project.' },
  },
})

/** Which pages a section's entry in the bar stands for. */
function active(groups) {
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')))
  return `^(${links.join('|')})(\\.html)?$`
}

/** Each page has the groups of its section; the longest path comes first, since the first one that fits is taken. */
function sidebars() {
  const pages = sections.flatMap(({ groups }) => groups.flatMap(({ items }) => items.map(({ link }) => [link, groups])))
  return Object.fromEntries(pages.sort(([one], [other]) => other.length - one.length))
}
