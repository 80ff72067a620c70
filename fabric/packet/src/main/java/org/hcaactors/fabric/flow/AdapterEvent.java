// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

/** An event inside an adapter. The interface is sealed again in the module of the adapter. */
public non-sealed interface AdapterEvent extends TraceEvent {}
