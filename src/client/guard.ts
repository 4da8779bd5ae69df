import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

interface GuardedOptions<Answer, Input> extends Omit<UseMutationOptions<Answer, Error, Input>, 'onSettled'> {
  /** The key of an input. Inputs with different keys can be sent at the same time. */
  keyOf?: (input: Input) => unknown;
}

/** A mutation for a form or a button. A second call with the same key is ignored while the first is pending. */
export function useGuardedMutation<Answer, Input = void>({
  keyOf = () => null,
  ...options
}: GuardedOptions<Answer, Input>): UseMutationResult<Answer, Error, Input> {
  // State would not do: a second click can come before the next rendering disables the button.
  const { current: running } = useRef(new Set<unknown>());
  const mutation = useMutation<Answer, Error, Input>({
    ...options,
    // Here and not in the options of mutate(): those are not called once the form is unmounted or reset.
    onSettled: (_answer, _error, input) => void running.delete(keyOf(input)),
  });
  const mutate: typeof mutation.mutate = (...sent) => {
    // Safe: the input can be left out only if its type is void.
    const key = keyOf(sent[0] as Input);
    if (running.has(key)) return;
    running.add(key);
    mutation.mutate(...sent);
  };
  return { ...mutation, mutate };
}
