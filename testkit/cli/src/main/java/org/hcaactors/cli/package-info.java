/** The hca command. */
@NullMarked
package org.hcaactors.cli;

import org.jspecify.annotations.NullMarked;
