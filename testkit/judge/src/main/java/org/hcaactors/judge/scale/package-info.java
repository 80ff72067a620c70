// SPDX-License-Identifier: Apache-2.0
/** What it takes that all processes of a cluster reach each other: counted by formula, and measured by building it. */
@NullMarked
package org.hcaactors.judge.scale;

import org.jspecify.annotations.NullMarked;
