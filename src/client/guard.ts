import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { CallError, queryClient } from './api.ts';
import { hasDraftOn } from './tab-memory.ts';

interface GuardedOptions<Answer, Input> extends Omit<UseMutationOptions<Answer, Error, Input>, 'onSettled'> {
  /** The key of an input. Inputs with different keys can be sent at the same time. */
  keyOf?: (input: Input) => unknown;
}

/** Whether the server refused a change because what it is about is gone, or was changed already. */
const isOutdated = (error: Error | null) => error instanceof CallError && [404, 409].includes(error.status);

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
    onSettled: (_answer, error, input) => {
      running.delete(keyOf(input));
      // Somebody else, or an earlier request whose answer was lost, has made the change: the page shows it. Not while
      // something is typed there, which would go with a page whose subject is gone.
      if (isOutdated(error) && !hasDraftOn(location.pathname)) void queryClient.invalidateQueries();
    },
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
