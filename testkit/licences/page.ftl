# Third parties

What the published modules and the `hca` command stand on, by licence. The build makes this page:
`mvn license:aggregate-add-third-party` writes it to `target/`. CI compares the two, and fails for a licence that the root POM
does not name.
<#list licenseMap as entry>
<#if entry.getValue()?size gt 0>

## ${entry.getKey()}

<#list entry.getValue() as project>
- [${project.groupId}:${project.artifactId}](${project.url!}) ${project.version}
</#list>
</#if>
</#list>
