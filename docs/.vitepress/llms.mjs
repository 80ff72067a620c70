// SPDX-License-Identifier: Apache-2.0
// Writes llms.txt, a list of all pages with one line each, llms-full.txt, their whole text, and each page as Markdown.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { firstSentence } from './markdown.mjs'
import { navigation } from './navigation.mjs'
import { pages, root, site } from './places.mjs'

const intro = firstSentence(readFileSync(join(root, 'README.md'), 'utf8'))
const all = navigation(pages)
const text = (page) => readFileSync(join(pages, page), 'utf8')

function line({ text: name, page }) {
  const sentence = firstSentence(text(page))
  return `- [${name}](${page})${sentence ? ': ' + sentence : ''}`
}

const list = all.map((section) => {
  const lines = section.groups.flatMap((group) => group.items.map(line))
  return `## ${section.text}\n\n${lines.join('\n')}\n`
})
writeFileSync(join(site, 'llms.txt'), `# hca-actors\n\n> ${intro}\n\n${list.join('\n')}`)

const items = all.flatMap((section) => section.groups.flatMap((group) => group.items))
writeFileSync(join(site, 'llms-full.txt'), items.map(({ page }) => `<!-- ${page} -->\n\n${text(page).trim()}\n`).join('\n'))
for (const { page } of items) {
  mkdirSync(dirname(join(site, page)), { recursive: true })
  cpSync(join(pages, page), join(site, page))
}
console.log(`${items.length} pages in llms.txt`)
