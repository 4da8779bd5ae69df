import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * Keeps an action from running twice at once for the same key. It is a ref, because a second click can come before the
 * next rendering disables the button.
 */
export function useGuard() {
  const running = useRef(new Set<unknown>());
  return {
    /** Whether the action may start; from then on it runs until `leave`. */
    enter(key: unknown): boolean {
      if (running.current.has(key)) return false;
      running.current.add(key);
      return true;
    },
    leave: (key: unknown): void => void running.current.delete(key),
  };
}

interface GuardedOptions<Answer, Input> extends Omit<UseMutationOptions<Answer, Error, Input>, 'onSettled'> {
  /** Inputs with different keys may be sent at once. */
  keyOf?: (input: Input) => unknown;
}

/** What a form or button sends: nothing while the same is being sent. */
export function useGuardedMutation<Answer, Input = void>({
  keyOf = () => null,
  ...options
}: GuardedOptions<Answer, Input>): UseMutationResult<Answer, Error, Input> {
  const guard = useGuard();
  const mutation = useMutation<Answer, Error, Input>({
    ...options,
    // Not beside mutate(), where it would be lost with the form or by a reset.
    onSettled: (_answer, _error, input) => guard.leave(keyOf(input)),
  });
  const mutate: typeof mutation.mutate = (...sent) => {
    // An input may be left out only where it is nothing.
    if (guard.enter(keyOf(sent[0] as Input))) mutation.mutate(...sent);
  };
  return { ...mutation, mutate };
}
