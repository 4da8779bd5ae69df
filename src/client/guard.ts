import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Prevents an action from running twice at once for the same key. State would not do: a second click can come before
 * the next rendering disables the button.
 */
export function useGuard() {
  const running = useRef(new Set<unknown>());
  return {
    /** @returns whether the action may start; if so, the key is locked until `leave` */
    enter(key: unknown): boolean {
      if (running.current.has(key)) return false;
      running.current.add(key);
      return true;
    },
    leave: (key: unknown): void => void running.current.delete(key),
  };
}

interface GuardedOptions<Answer, Input> extends Omit<UseMutationOptions<Answer, Error, Input>, 'onSettled'> {
  /** The key of an input. Inputs with different keys can be sent at the same time. */
  keyOf?: (input: Input) => unknown;
}

/** A mutation for a form or a button. A second call with the same key is ignored while the first is pending. */
export function useGuardedMutation<Answer, Input = void>({
  keyOf = () => null,
  ...options
}: GuardedOptions<Answer, Input>): UseMutationResult<Answer, Error, Input> {
  const guard = useGuard();
  const mutation = useMutation<Answer, Error, Input>({
    ...options,
    // Here and not in the options of mutate(): those are not called once the form is unmounted or reset.
    onSettled: (_answer, _error, input) => guard.leave(keyOf(input)),
  });
  const mutate: typeof mutation.mutate = (...sent) => {
    // Safe: the input can be left out only if its type is void.
    if (guard.enter(keyOf(sent[0] as Input))) mutation.mutate(...sent);
  };
  return { ...mutation, mutate };
}
