/** Connected pairs, ready to send. */
@NullMarked
package org.hcaactors.lab.pair;

import org.jspecify.annotations.NullMarked;
