// SPDX-License-Identifier: Apache-2.0
/** What a world tells a program that uses its adapter wrongly, where the adapter itself would say nothing. */
@NullMarked
package org.hcaactors.lab.program;

import org.jspecify.annotations.NullMarked;
