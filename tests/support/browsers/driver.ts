/** An input device and what it does, as W3C WebDriver and WebDriver BiDi both write it. */
type InputSource =
  | { type: 'pointer'; id: string; actions: ({ type: 'pointerMove'; x: number; y: number } | PointerButton)[] }
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] };

interface PointerButton {
  type: 'pointerDown' | 'pointerUp';
  button: 0;
}

/** One window of a browser that Playwright cannot drive, with a fresh profile: as much as both protocols offer. */
export interface Driver {
  /** Loads an address; returns when its document and everything in it has been loaded. */
  open(url: string): Promise<void>;
  /** Runs a function in the page. Arguments and result travel as JSON. */
  run<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args): Promise<Result>;
  /** Moves the mouse and presses keys, as a person's hands do. */
  perform(source: InputSource): Promise<void>;
  /** Script errors and console errors so far. */
  errors(): Promise<string[]>;
  /** Ends the browser and deletes its profile. */
  close(): Promise<void>;
}
