// SPDX-License-Identifier: Apache-2.0
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folders of the site's build; the pages are collected below target, and the site is made there. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const pages = resolve(root, 'target/docs')
export const site = resolve(root, 'target/site/docs')
export const cache = resolve(root, 'target/docs-cache')

/** The path of the site on its server. VitePress adds it to links between pages; links to other files are written with it. */
export const base = process.env.DOCS_BASE ?? '/'
