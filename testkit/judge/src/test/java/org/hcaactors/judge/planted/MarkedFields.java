// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import com.tngtech.archunit.core.domain.JavaField;
import java.util.Arrays;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.ParameterDescription;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatchers;

/** Binds advice parameters to their {@linkplain MarkedField marked fields}. */
final class MarkedFields implements Advice.OffsetMapping.Factory<MarkedField> {
    /** Returns the marks of all fields that an advice uses. */
    static Stream<String> of(Class<?> advice) {
        return Arrays.stream(advice.getDeclaredMethods())
                .flatMap(method -> Arrays.stream(method.getParameters()))
                .flatMap(parameter -> Arrays.stream(parameter.getAnnotationsByType(MarkedField.class)))
                .map(MarkedField::value)
                .distinct();
    }

    @Override
    public Class<MarkedField> getAnnotationType() {
        return MarkedField.class;
    }

    @Override
    public Advice.OffsetMapping make(
            ParameterDescription.InDefinedShape target,
            AnnotationDescription.Loadable<MarkedField> annotation,
            AdviceType type) {
        MarkedField marked = annotation.load();
        return (patched, method, assigner, arguments, sort) -> {
            String name = MutationPoints.fields(marked.value()).stream()
                    .filter(field -> field.getOwner().getName().equals(patched.getName()))
                    .map(JavaField::getName)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            patched.getName() + " has no field with the mark " + marked.value()));
            FieldDescription field = patched.getDeclaredFields()
                    .filter(ElementMatchers.named(name))
                    .getOnly();
            return new Advice.OffsetMapping.ForField.Resolved(
                            target.getType(), marked.readOnly(), Assigner.Typing.DYNAMIC, field)
                    .resolve(patched, method, assigner, arguments, sort);
        };
    }
}
