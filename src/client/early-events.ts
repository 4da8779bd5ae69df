// Shared by recorder.ts, which is inlined in the document, and replay-events.ts, which is loaded with the page's code.

/** An event at a control that was not hydrated yet. */
export interface EarlyEvent {
  /** When it happened, in milliseconds since the navigation. */
  readonly at: number;
  readonly event: Event;
  readonly target: HTMLElement;
  /** The path to the target from the root, by child indexes, for a page that is rendered anew. */
  readonly path: readonly number[];
  /** The value of the field at that time. */
  readonly value: string | undefined;
}

/** The recorded events. Those during the replay are recorded too, so that none overtakes an earlier one. */
export interface EarlyEvents {
  /** The events that are still to be replayed, in order. */
  events: EarlyEvent[];
  /** The replay has begun. */
  hasBegun?: boolean;
  /** Nothing is recorded while an event is replayed, nor once the page is hydrated and handles events itself. */
  isPaused?: boolean;
}

declare global {
  /** Undefined where a proxy has changed the recorder: the content security policy then forbids it. */
  var earlyEvents: EarlyEvents | undefined;
}

/**
 * The elements of the page itself, without those that a translator puts around texts and without the server's preloads.
 */
export const childrenOf = (element: Element): Element[] => [...element.querySelectorAll(':scope > :not(font, link)')];

export const isCheckboxOrRadio = (control: Element) => control.matches('[type=checkbox], [type=radio]');
