// SPDX-License-Identifier: Apache-2.0
// The order of the pages. A page that is not listed is appended to the section of its folder.

/** Sections with their groups; a page is its path below docs, and its title is its first heading unless one is given. */
export const sections = [
  {
    text: 'Guide',
    folder: 'guide',
    groups: [
      {
        text: 'Programs',
        pages: [
          ['guide/index.md', 'Overview'],
          'guide/service.md',
          'guide/kotlin.md',
          ['guide/threads.md', 'Threads, shards, batches'],
          ['guide/buffers.md', 'Ownership of buffers'],
          'guide/deadlines.md',
          ['guide/jars.md', 'Jars and versions'],
          ['guide/operations.md', 'Operations'],
          ['guide/live-wire-tools.md', 'Classic tools'],
          ['guide/verbs-programs.md', 'Programs of C and Python'],
          ['guide/cluster.md', 'Several nodes'],
        ],
      },
      {
        text: 'Tests',
        pages: [
          'guide/testing.md',
          ['guide/writing-tests.md', 'Tests of a program'],
          'guide/faults.md',
          ['guide/recorded-peer.md', 'A recorded peer'],
          ['guide/invariants.md', 'Invariants'],
          ['guide/own-invariants.md', 'Invariants of your own'],
          ['guide/programs.md', 'Programs with bugs'],
          ['guide/writing-scenarios.md', 'Scenarios'],
        ],
      },
      {
        text: 'Looking at a run',
        pages: [
          ['guide/views.md', 'Views of a run'],
          ['guide/report.md', 'The report'],
          ['guide/explanations.md', 'Explanations'],
          ['guide/exports.md', 'Other tools'],
        ],
      },
      {
        text: 'Features',
        pages: [
          ['guide/xrc.md', 'XRC'],
          ['guide/dc.md', 'DC'],
          ['guide/tag-matching.md', 'Tag matching'],
          'guide/atomics.md',
          'guide/memory-windows.md',
          'guide/indirect-keys.md',
          'guide/reregistration.md',
          ['guide/paging.md', 'On-demand paging'],
          'guide/contiguous-pages.md',
          'guide/inline-receive.md',
          ['guide/as-notify.md', 'AS-notify'],
          ['guide/access.md', 'Access without a right'],
          ['guide/firmware.md', 'Firmware settings'],
        ],
      },
    ],
  },
  {
    text: 'Reference',
    folder: 'reference',
    groups: [
      {
        text: 'Reference',
        pages: [
          ['reference/verbs.md', 'Verbs: C, Java, Kotlin'],
          'reference/command-line.md',
          ['reference/modelled.md', 'What is modelled'],
          'reference/conformance.md',
          ['reference/soft-roce.md', 'Soft-RoCE of Linux'],
          ['reference/cluster-plan.md', 'A fabric of 100 nodes'],
          ['guide/rlog.md', 'Events and recorded runs'],
          ['reference/api.md', 'API by area'],
          ['reference/javadoc.md', 'Javadoc and KDoc'],
        ],
      },
      {
        text: 'Rule book',
        collapsed: true,
        folder: 'rules',
        pages: [
          ['rules/index.md', 'The rule book'],
          'rules/wire.md', 'rules/rc.md', 'rules/uc.md', 'rules/ud.md', 'rules/qp.md', 'rules/memory.md', 'rules/atomic.md',
          'rules/pages.md', 'rules/window.md', 'rules/indirect.md', 'rules/paging.md', 'rules/post.md', 'rules/receive.md',
          'rules/xrc.md', 'rules/dc.md', 'rules/tag.md', 'rules/rendezvous.md', 'rules/inline.md', 'rules/completion.md',
          'rules/notify.md', 'rules/event.md', 'rules/firmware.md',
          ['rules/own-choices.md', 'Our own choices'],
          ['rules/matrix.md', 'Rules, code and tests'],
        ],
      },
    ],
  },
  {
    text: 'Performance',
    groups: [{ text: 'Performance', pages: [['performance.md', 'Figures'], ['internals/benchmarks.md', 'How they are measured']] }],
  },
  {
    text: 'Internals',
    folder: 'internals',
    groups: [
      {
        text: 'Internals',
        pages: ['internals/architecture.md', 'internals/contributing.md', ['changelog.md', 'Changes']],
      },
    ],
  },
  { text: 'Glossary', groups: [{ text: 'Glossary', pages: [['glossary.md', 'Glossary']] }] },
  {
    text: 'Gallery',
    folder: 'gallery',
    groups: [{ text: 'Gallery of scenarios', collapsed: true, pages: [['gallery/index.md', 'Gallery of scenarios']] }],
  },
]

/** Pages outside docs, by where they are on the site. */
export const fromOutside = {
  'CONTRIBUTING.md': 'internals/contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'testkit/benchmarks/README.md': 'internals/benchmarks.md',
}

/** Folders in which `mvn verify` leaves pages, by where they are on the site. */
export const fromBuild = { 'target/site/guide': 'gallery', 'target/site/rules': 'rules' }

/** Modules with Javadoc or KDoc, by the folder in which `mvn -Pjudge verify` leaves it. */
export const javadoc = [
  ['hca-api', 'api/target/reports/apidocs'],
  ['hca-api-kotlin', 'api/kotlin/target/dokkaJavadocJar'],
  ['hca-api-micrometer', 'api/micrometer/target/reports/apidocs'],
  ['hca-client', 'api/client/target/reports/apidocs'],
  ['hca-actors', 'hca-actors/target/reports/apidocs'],
  ['hca-protocol', 'hca-actors/protocol/target/reports/apidocs'],
  ['hca-packet', 'fabric/packet/target/reports/apidocs'],
  ['hca-fabric', 'fabric/target/reports/apidocs'],
  ['hca-gateway', 'fabric/gateway/target/reports/apidocs'],
  ['hca-views', 'testkit/views/target/reports/apidocs'],
  ['hca-faults', 'testkit/faults/target/reports/apidocs'],
  ['hca-lab', 'testkit/lab/target/reports/apidocs'],
  ['hca-lab-kotlin', 'testkit/lab-kotlin/target/dokkaJavadocJar'],
  ['hca-scenario', 'testkit/scenario/target/reports/apidocs'],
  ['hca-conform', 'testkit/conform/target/reports/apidocs'],
]
