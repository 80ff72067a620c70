/** Answers to verbs, completed on the caller's executor. */
@NullMarked
package org.hcaactors.adapter.stage;

import org.jspecify.annotations.NullMarked;
