package org.hcaactors.lab.fault;

import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Stamp;

/** What the bench did to an adapter on purpose. What it did to a packet stands with the packet's own events. */
public record BenchEvent(Stamp stamp, String port, String what) implements AdapterEvent {}
