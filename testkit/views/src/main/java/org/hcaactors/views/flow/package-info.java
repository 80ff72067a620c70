// SPDX-License-Identifier: Apache-2.0
/** The recorder and its views: ladder, Mermaid, packet capture. */
@NullMarked
package org.hcaactors.views.flow;

import org.jspecify.annotations.NullMarked;
