// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { title } from './markdown.mjs'
import { sections } from './pages.mjs'

/** The pages in a folder, by their paths on the site. */
function collected(folder) {
  return readdirSync(folder, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('public/'))
    .sort()
}

function entry(folder, page, name) {
  const text = readFileSync(join(folder, page), 'utf8')
  return { text: name ?? title(text) ?? page, page, link: '/' + page.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1') }
}

/** Sections with groups with the entries of pages that are there; unlisted pages come last in the group or section of their folder. */
export function navigation(folder) {
  const listed = new Set(['index.md'])
  const listedPages = (group) => group.pages.map((each) => (Array.isArray(each) ? each : [each]))
  for (const group of sections.flatMap((section) => section.groups)) listedPages(group).forEach(([page]) => listed.add(page))
  const unlisted = collected(folder).filter((page) => !listed.has(page))
  const below = (name) => unlisted.filter((page) => name && page.startsWith(name + '/')).map((page) => entry(folder, page))
  return sections.map((section) => ({
    text: section.text,
    groups: section.groups.map((group, index) => ({
      text: group.text,
      collapsed: group.collapsed,
      items: [
        ...listedPages(group)
          .filter(([page]) => existsSync(join(folder, page)))
          .map(([page, name]) => entry(folder, page, name)),
        ...below(group.folder),
        ...(index === section.groups.findLastIndex((each) => !each.folder) ? below(section.folder) : []),
      ],
    })),
  }))
}
