// SPDX-License-Identifier: Apache-2.0
/** Charts as values, and as SVG. */
@NullMarked
package org.hcaactors.cli.plot;

import org.jspecify.annotations.NullMarked;
