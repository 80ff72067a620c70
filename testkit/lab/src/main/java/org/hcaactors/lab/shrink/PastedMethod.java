package org.hcaactors.lab.shrink;

/** A shrunk run as a method of a test class: it fails for the same reason as long as the reason is there. */
public final class PastedMethod {
    private PastedMethod() {}

    /**
     * @param name of the method
     * @param parameters as they are declared: {@code World world, @Named("a") Adapter a}
     * @param world the one of them in which it runs
     * @param call how the program is run, as Java
     */
    public static String source(Shrunk shrunk, String name, String parameters, String world, String call) {
        StringBuilder text = new StringBuilder();
        text.append("    /** ")
                .append(shrunk.story().replace("*/", "* /").lines().findFirst().orElse(""))
                .append(" */\n");
        text.append("    @RdmaTest(seed = ").append(shrunk.attempt().seed());
        shrunk.attempt()
                .schedule()
                .ifPresent(schedule ->
                        text.append(", schedule = \"").append(schedule).append('"'));
        text.append(")\n    void ").append(name).append('(').append(parameters).append(") throws Exception {\n");
        if (!shrunk.attempt().plan().faults().isEmpty()) {
            text.append("        ").append(world);
            text.append(".faults().arm(FaultPlan.parse(\"\"\"\n                faults = [\n");
            for (String fault : shrunk.attempt().plan().lines()) {
                text.append("                  ").append(fault).append('\n');
            }
            text.append("                ]\n                \"\"\"));\n");
        }
        return text.append("        ").append(call).append(";\n    }\n").toString();
    }
}
