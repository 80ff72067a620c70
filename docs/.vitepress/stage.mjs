// SPDX-License-Identifier: Apache-2.0
// Collects the pages of the site in a folder: those in docs, some from elsewhere, and those that the build made.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { plain, withLinks } from './markdown.mjs'
import { fromBuild, fromOutside, javadoc } from './pages.mjs'
import { base, pages, root, site } from './places.mjs'
import { gallery, scenarioPage, scenarioTitle } from './scenarios.mjs'

/** Where sources can be read, such as https://HOST/OWNER/NAME/blob/main; without it links to sources are plain text. */
const repository = process.env.DOCS_REPOSITORY?.replace(/\/$/, '')
const strict = process.argv.includes('--strict')
const missing = []

const scenarios = 'docs/guide/scenarios'
const report = 'target/site/guide/gallery.html'

const read = (file) => readFileSync(join(root, file), 'utf8')

/** The source of what the build makes; undefined for what is in the repository. */
function sourceOf(file) {
  const module = /^(.+)\/target\//.exec(file)
  if (module) return `${module[1]}/src/main`
  if (file.startsWith('target/site/rules/')) return 'docs/rules'
  const scenario = /^target\/site\/guide\/(.+)\.md$/.exec(file)
  if (scenario) return `${scenarios}/${scenario[1]}.conf`
  return file === report ? scenarios : undefined
}

const times = new Map()

/** When a file, or the newest file of a folder, was changed; 0 if it is absent. */
function changed(path) {
  if (!times.has(path)) {
    const file = join(root, path)
    const isFolder = existsSync(file) && statSync(file).isDirectory()
    const all = isFolder ? readdirSync(file, { recursive: true }).map((each) => join(file, each)) : [file]
    times.set(path, Math.max(0, ...all.map((each) => statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? 0)))
  }
  return times.get(path)
}

/** False also for what the build made from an earlier or a removed source. */
function isThere(file) {
  const source = sourceOf(file)
  return existsSync(join(root, file)) && (!source || (changed(source) > 0 && changed(file) >= changed(source)))
}

function write(page, text) {
  const file = join(pages, page)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function below(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .filter((file) => !file.startsWith('docs/.') && statSync(join(root, file)).isFile())
    .sort()
}

/** Where a file of the repository is on the site; undefined if it is not there. */
function placeOf(file) {
  if (file === 'README.md' || file === 'docs' || file === 'docs/README.md') return 'index.md'
  if (fromOutside[file]) return fromOutside[file]
  const scenario = /^docs\/guide\/scenarios\/(.+)\.conf$/.exec(file)
  if (scenario) return `gallery/${scenario[1]}.md`
  if (file === report) return isThere(report) ? `${base}gallery/report.html` : undefined
  for (const [folder, place] of Object.entries(fromBuild)) {
    if (file.startsWith(folder + '/')) return posix.join(place, indexed(file.slice(folder.length + 1)))
  }
  const type = /^(.+)\/src\/main\/java\/(.+)\.java$/.exec(file)
  if (type) return javadocOf(type[1], type[2])
  return /^docs\/.+\.(md|png|svg)$/.test(file) ? indexed(file.slice('docs/'.length)) : undefined
}

/** The page of a type, which Javadoc puts below its module. */
function javadocOf(module, type) {
  const [name, folder] = javadoc.find(([, each]) => each.startsWith(`${module}/target/`)) ?? []
  if (!folder || !isThere(folder)) return undefined
  const file = ['', ...readdirSync(join(root, folder))].map((each) => posix.join(each, `${type}.html`))
  const found = file.find((each) => isThere(posix.join(folder, each)))
  return found && `${base}javadoc/${name}/${found}`
}

const indexed = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md')

function resolver(page) {
  return (file) => {
    const place = placeOf(file)
    if (place?.startsWith('/')) return place
    if (place && (isThere(file) || place.startsWith('gallery/'))) {
      const path = posix.relative(posix.dirname(page), place)
      return path.startsWith('.') ? path : './' + path
    }
    return repository && isThere(file) ? `${repository}/${file}` : deadOr(file)
  }
}

/** What is in the repository becomes text; what is not is left, and VitePress refuses it as a dead link. */
function deadOr(file) {
  if (isThere(file) || /(^|\/)target\//.test(file)) return undefined
  return '/' + file
}

function page(file, place) {
  write(place, withLinks(plain(read(file)), file, resolver(place)))
}

function collectDocs() {
  for (const file of below('docs')) {
    if (file === 'docs/README.md') home(file)
    else if (file.endsWith('.md')) page(file, placeOf(file))
    else if (placeOf(file) && !file.endsWith('.conf')) copy(file, placeOf(file))
  }
  for (const [file, place] of Object.entries(fromOutside)) page(file, place)
}

function copy(file, place) {
  mkdirSync(dirname(join(pages, place)), { recursive: true })
  cpSync(join(root, file), join(pages, place), { recursive: true })
}

/** The home page: its own head, then the list of pages. */
function home(file) {
  const list = withLinks(plain(read(file)), file, resolver('index.md')).replace(/^[\s\S]*?(?=^## )/m, '')
  write('index.md', `${read('docs/.vitepress/home.md')}\n${list}`)
}

function collectGallery() {
  const source = (name) => `${scenarios}/${name}.conf`
  const names = below(scenarios).map((file) => basename(file, '.conf'))
  const made = names.filter((name) => isThere(`target/site/guide/${name}.md`))
  if (made.length < names.length) missing.push(['the runs of the scenarios', 'mvn verify'])
  for (const name of names) {
    if (made.includes(name)) page(`target/site/guide/${name}.md`, `gallery/${name}.md`)
    else write(`gallery/${name}.md`, scenarioPage(name, read(source(name))))
  }
  if (isThere(report)) copy(report, 'public/gallery/report.html')
  const titles = names.map((name) => [name, scenarioTitle(name, read(source(name)))])
  write('gallery/index.md', gallery(titles, placeOf(report)))
}

function collectRules() {
  for (const name of ['matrix', 'own-choices']) {
    const file = `target/site/rules/${name}.md`
    if (isThere(file)) page(file, `rules/${name}.md`)
    else missing.push([`rules/${name}`, 'mvn verify'])
  }
}

/** The page that lists Javadoc and KDoc; the files themselves are copied into the site as they are. */
function collectJavadoc() {
  const [there, absent] = [true, false].map((is) => javadoc.filter(([, folder]) => isThere(folder) === is))
  if (absent.length > 0) missing.push([`Javadoc or KDoc of ${absent.map(([name]) => name).join(', ')}`, 'mvn -Pjudge verify'])
  for (const [name, folder] of there) copy(folder, `public/javadoc/${name}`)
  const rows = there.map(([name]) => `- [${name}](${base}javadoc/${name}/index.html){target="_self"}\n`).join('')
  const list = rows || 'This site was built without them: `mvn -Pjudge verify` makes them, and `docs/build` then takes them in.\n'
  write('reference/javadoc.md', `# Javadoc and KDoc\n\nThe documentation of the published jars, made from their sources.\n\n${list}`)
}

for (const folder of [pages, site]) rmSync(folder, { recursive: true, force: true })
mkdirSync(pages, { recursive: true })
// What a page is compiled to imports Vue from beside the page.
symlinkSync(join(root, 'docs/.vitepress/node_modules'), join(pages, 'node_modules'), 'junction')
collectDocs()
collectGallery()
collectRules()
collectJavadoc()
for (const [what, command] of missing) console.error(`docs/build: left out: ${what}: absent, or older than the sources; "${command}" makes them`)
if (strict && missing.length > 0) process.exit(1)
