// SPDX-License-Identifier: Apache-2.0
import { posix } from 'node:path'

/** An anchor as GitHub makes it, so that links to headings are the same there and on the site. */
export function anchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

const link = /(!?)\[((?:`[^`\n]*`|\\.|[^\]\\])*)\]\(([^)\s]+)\)/g

/** Changes what is no block of code. */
function outsideBlocks(markdown, change) {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```[^\S\n]*$)/gm)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join('')
}

/** Takes out comments, and what Vue would read as an expression. */
export function plain(markdown) {
  return outsideBlocks(markdown, (text) => text.replace(/<!--[\s\S]*?-->\n?/g, '').replaceAll('{{', '&#123;&#123;'))
}

/**
 * Changes the relative links of a page; `resolve` is given the path from the root of the repository and returns the path on the
 * site, a URL, or undefined for what is only text.
 */
export function withLinks(markdown, page, resolve) {
  const changed = (text) =>
    text.replace(link, (whole, picture, words, target) => {
      if (/^([a-z]+:|#)/i.test(target)) return whole
      const [file, fragment] = target.split('#')
      const found = resolve(posix.normalize(posix.join(posix.dirname(page), file)))
      if (found === undefined) return words
      const html = found.startsWith('/') && found.endsWith('.html') ? '{target="_self"}' : ''
      return `${picture}[${words}](${found}${fragment ? '#' + fragment : ''})${html}`
    })
  return outsideBlocks(markdown, changed)
}

export function title(markdown) {
  return /^# (.+)$/m.exec(markdown)?.[1].replaceAll('`', '')
}

/** The first sentence below the title, without links and emphasis; undefined where a table or code comes first. */
export function firstSentence(markdown) {
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/<!--[\s\S]*?-->/g, '')
  const paragraph = body.split(/\n\s*\n/).find((each) => each.trim() && !/^\s*#/.test(each))
  if (!paragraph || /^\s*(\||```|!\[)/.test(paragraph)) return undefined
  const words = paragraph
    .replace(link, '$2')
    .replace(/^\s*[*-] /, '')
    .replaceAll('**', '')
    .replace(/\s+/g, ' ')
    .trim()
  return /^.*?[.:](?= |$)/.exec(words)?.[0].replace(/:$/, '.') ?? words
}
