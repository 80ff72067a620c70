// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.capture.CaptureSummary;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.rlog.Rlog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        description = "Explains every failed request and every wait of a recorded run"
                + " (trace.rlog), with its causes. With --request or --event, only that one. For a capture (pcap,"
                + " pcapng) it explains what the packets alone show: gaps, refusals, retransmissions and their reasons, the time that"
                + " each message spent; and the facts that only the hosts know.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Explain implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the recorded run, or a capture")
    private Path file;

    @Option(
            names = "--request",
            paramLabel = "ID",
            description = "completions of the request or receive with this number")
    @AllowedRange
    private @Nullable Long request;

    @Option(names = "--qp", paramLabel = "ADAPTER/NUMBER", description = "only of this queue pair, such as a/17")
    private @Nullable String qp;

    @Option(names = "--event", paramLabel = "ID", description = "the event with this number")
    @AllowedRange
    private @Nullable Long event;

    @Option(names = "--no-ladder", description = "sentences only")
    private boolean sentencesOnly;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        if (RecordedRun.isCapture(file)) {
            explainCapture(out);
            return Hca.OK;
        }
        Rlog run = RecordedRun.read(file);
        List<Explanation> explanations = explanations(run);
        if (json) {
            out.println(asJson(explanations));
            RecordedRun.notes(run).forEach(spec.commandLine().getErr()::println);
        } else {
            print(out, run, explanations);
        }
        out.flush();
        return Hca.OK;
    }

    private void explainCapture(PrintWriter out) throws BadInputException {
        new Checks(spec)
                .that(
                        request == null && qp == null && event == null,
                        "--request, --qp and --event require a recorded run; a capture contains neither requests nor events");
        CaptureSummary story = RecordedRun.story(file);
        if (json) {
            out.println(CaptureSummaryJson.of(story));
        } else {
            story.lines().forEach(out::println);
        }
        out.flush();
    }

    private List<Explanation> explanations(Rlog run) throws BadInputException {
        Explainer explainer = Explainer.of(run.events());
        if (event != null) {
            Optional<Explanation> one = explainer.explain(event.longValue());
            return List.of(one.orElseThrow(() -> new BadInputException("no event " + event + " in " + file)));
        }
        if (request != null || qp != null) {
            return completions(run, explainer);
        }
        List<Explanation> all = new ArrayList<>(explainer.failures());
        all.addAll(explainer.ignored());
        all.addAll(explainer.waiting());
        return all;
    }

    private List<Explanation> completions(Rlog run, Explainer explainer) throws BadInputException {
        List<Explanation> all = new ArrayList<>();
        for (TraceEvent each : run.events()) {
            if (each instanceof HcaEvent.Completed done && isMeant(done)) {
                explainer.explain(done.stamp().id()).ifPresent(all::add);
            }
        }
        if (all.isEmpty()) {
            throw new BadInputException("no completion" + (request == null ? "" : " of request " + request)
                    + (qp == null ? "" : " on queue pair " + qp) + " in " + file);
        }
        return all;
    }

    private boolean isMeant(HcaEvent.Completed done) {
        String owner = done.port() + "/" + done.completion().qpNumber();
        return (request == null || done.completion().workId() == request) && (qp == null || owner.equals(qp));
    }

    private void print(PrintWriter out, Rlog run, List<Explanation> explanations) {
        run.header().seed().ifPresent(seed -> out.println(run.header().title() + ", seed " + seed));
        if (event == null && explanations.stream().noneMatch(Explain::isOfRequest)) {
            if (explanations.stream().allMatch(Explain::isOfIgnored)) {
                out.println("no request failed or is outstanding");
            }
            Explainer.of(run.events()).losses().forEach(out::println);
            slow(run).ifPresent(out::println);
        }
        for (Explanation one : explanations) {
            out.println();
            out.println(sentencesOnly ? String.join("\n", one.lines()) : one.toString());
        }
        RecordedRun.notes(run).forEach(note -> out.println("\n" + note));
    }

    /** True if it explains a request, or another event of an adapter. */
    private static boolean isOfRequest(Explanation explanation) {
        return switch (explanation.about()) {
            case Explanation.Subject.Happened happened ->
                happened.event() instanceof HcaEvent && !isOfIgnored(explanation);
            case Explanation.Subject.Waiting waiting -> true;
            case Explanation.Subject.Connecting connecting -> true;
            case Explanation.Subject.Unfetched unfetched -> false;
        };
    }

    /** True if it explains packets that were ignored. */
    private static boolean isOfIgnored(Explanation explanation) {
        return explanation.about() instanceof Explanation.Subject.Happened happened
                && happened.event() instanceof HcaEvent.Discarded;
    }

    /** Returns a hint about requests that waited for pages, although they completed. */
    private static Optional<String> slow(Rlog run) {
        List<HcaEvent.WorkPosted> slow = Explainer.of(run.events()).waitedForPages();
        return slow.stream()
                .findFirst()
                .map(first -> "%d %s waited for pages; --request %d --qp %s/%d explains the first"
                        .formatted(
                                slow.size(),
                                slow.size() == 1 ? "request" : "requests",
                                first.work().id(),
                                first.port(),
                                first.element().number()));
    }

    private static ObjectNode asJson(List<Explanation> explanations) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode list = root.putArray("explanations");
        for (Explanation one : explanations) {
            ObjectNode node = list.addObject().put("what", one.what()).put("root", one.root());
            one.because().forEach(node.putArray("because")::add);
            ArrayNode ids = node.putArray("events");
            one.events().forEach(each -> ids.add(each.stamp().id()));
        }
        return root;
    }
}
