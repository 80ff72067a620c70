// SPDX-License-Identifier: Apache-2.0
/** A page of a scenario that the build has not run: what its file says. */
export function scenarioPage(name, text) {
  const about = /^about\s*=\s*"""\s*([\s\S]*?)\s*"""/m.exec(text)?.[1] ?? ''
  const command = `testkit/hca run docs/guide/scenarios/${name}.conf --seed 1`
  return `# ${scenarioTitle(name, text)}\n\n${about}\n\n\`\`\`sh\n${command}\n\`\`\`\n\n## The scenario\n\n\`\`\`hocon\n${text.trim()}\n\`\`\`\n`
}

export function scenarioTitle(name, text) {
  return /^title\s*=\s*"(.*)"/m.exec(text)?.[1] ?? name
}

/** The list of all scenarios, and where the report of all their runs is, if the build has made it. */
export function gallery(titles, report) {
  const open = report
    ? `The [report of all runs](${report}){target="_self"} shows every packet, each wait and its reason.`
    : ''
  const rows = titles.map(([name, title]) => `- [${title}](${name}.md)\n`).join('')
  return `# Gallery of scenarios\n\nEach scenario is a file that \`hca run\` plays in virtual time; its page shows what happens, packet by packet. ${open}\n\n${rows}`
}
