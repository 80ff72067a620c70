// SPDX-License-Identifier: Apache-2.0
/** The trace recorder and diagrams of its events: ladder, Mermaid, PlantUML, packet capture. */
@NullMarked
package org.hcaactors.views.flow;

import org.jspecify.annotations.NullMarked;
