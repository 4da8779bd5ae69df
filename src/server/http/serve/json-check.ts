import { BOUNDS } from '../limits/bounds.ts';
import { refusals } from '../refusals/refusals.ts';

const SPACE = ' \t\r\n';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdefABCDEF`;
/** The bytes allowed in a string. Whether those of non-ASCII characters are valid UTF-8 is left to the decoder. */
const PLAIN = Array.from({ length: 0x100 - 0x20 }, (_, index) => String.fromCharCode(index + 0x20))
  .filter((char) => char !== '"' && char !== '\\')
  .join('');

/** The bytes that begin a value, and the state after each. */
const VALUE = {
  ...{ '{': 'openObject', '[': 'openList', '"': 'string', '-': 'minus', '0': 'zero', '123456789': 'integer' },
  ...{ t: 't', f: 'f', n: 'n' },
};
/** The bytes that can follow a value. */
const AFTER = { [SPACE]: 'after', ',': 'comma', '}': 'closeObject', ']': 'closeList' };

/**
 * The states within a string. Those within a key are the same with other names, because a key ends in another state.
 */
const stringStates = (name: string, atEnd: string) => ({
  [name]: { [PLAIN]: name, '"': atEnd, '\\': `${name}Escape` },
  [`${name}Escape`]: { '"\\/bfnrt': name, u: `${name}Hex1` },
  [`${name}Hex1`]: { [HEX]: `${name}Hex2` },
  [`${name}Hex2`]: { [HEX]: `${name}Hex3` },
  [`${name}Hex3`]: { [HEX]: `${name}Hex4` },
  [`${name}Hex4`]: { [HEX]: name },
});

/** RFC 8259 as a table: for each state the allowed bytes, with the next state or the action that determines it. */
const GRAMMAR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Some clients begin with a byte order mark.
  start: { '\xef': 'mark2', [SPACE]: 'value', ...VALUE },
  mark2: { '\xbb': 'mark3' },
  mark3: { '\xbf': 'value' },
  value: { [SPACE]: 'value', ...VALUE },
  firstItem: { [SPACE]: 'firstItem', ']': 'closeList', ...VALUE },
  firstKey: { [SPACE]: 'firstKey', '"': 'beginKey', '}': 'closeObject' },
  nextKey: { [SPACE]: 'nextKey', '"': 'beginKey' },
  colon: { [SPACE]: 'colon', ':': 'value' },
  after: AFTER,
  ...stringStates('string', 'after'),
  ...stringStates('key', 'endKey'),
  minus: { '0': 'zero', '123456789': 'integer' },
  zero: { '.': 'point', eE: 'exponent', ...AFTER },
  integer: { [DIGITS]: 'integer', '.': 'point', eE: 'exponent', ...AFTER },
  point: { [DIGITS]: 'fraction' },
  fraction: { [DIGITS]: 'fraction', eE: 'exponent', ...AFTER },
  exponent: { '+-': 'sign', [DIGITS]: 'exponentDigits' },
  sign: { [DIGITS]: 'exponentDigits' },
  exponentDigits: { [DIGITS]: 'exponentDigits', ...AFTER },
  ...{ t: { r: 'tr' }, tr: { u: 'tru' }, tru: { e: 'after' } },
  ...{ f: { a: 'fa' }, fa: { l: 'fal' }, fal: { s: 'fals' }, fals: { e: 'after' } },
  ...{ n: { u: 'nu' }, nu: { l: 'nul' }, nul: { l: 'after' } },
};

/** Numbers for all steps: the error, the states, then the actions. */
const STATES = ['invalid', ...Object.keys(GRAMMAR)];
const STEPS = [...STATES, 'openObject', 'openList', 'closeObject', 'closeList', 'comma', 'beginKey', 'endKey'];
const stepOf = (name: string) => STEPS.indexOf(name);

const INVALID = 0;
const FIRST_ACTION = STATES.length;
const [START, VALUE_NEXT, FIRST_ITEM, FIRST_KEY, NEXT_KEY, IN_KEY, COLON, AFTER_VALUE] = [
  ...['start', 'value', 'firstItem', 'firstKey', 'nextKey', 'key', 'colon', 'after'].map(stepOf),
] as [number, number, number, number, number, number, number, number];
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST, COMMA, BEGIN_KEY] = [
  ...['openObject', 'openList', 'closeObject', 'closeList', 'comma', 'beginKey'].map(stepOf),
] as [number, number, number, number, number, number];
/** The states in which a text may be complete. A number has no closing character, so its states are among them. */
const FINAL = new Set(['after', 'zero', 'integer', 'fraction', 'exponentDigits'].map(stepOf));
const KEY_STATES = new Set(Object.keys(stringStates('key', '')).map(stepOf));

/** The step for each state and byte. */
const NEXT = new Uint8Array(STATES.length << 8);
for (const [state, rules] of Object.entries(GRAMMAR)) {
  for (const [bytes, step] of Object.entries(rules)) {
    for (const char of bytes) NEXT[(stepOf(state) << 8) | char.charCodeAt(0)] = stepOf(step);
  }
}

/** The shortest and longest spellings of the dangerous keys. A character has at most six bytes as an escape. */
const LOOKED_FOR_MIN = 'prototype'.length;
const LOOKED_FOR_MAX = 6 * 'constructor'.length;

/**
 * Checks that bytes are JSON while they arrive. It builds no value and stores no input. It also refuses what JSON
 * allows but no call needs: deep nesting, and keys that change the prototype of objects.
 */
export class JsonCheck {
  #state = START;
  #depth = 0;
  /**
   * One bit for each open level, the innermost lowest. #objects: whether it is an object. #constructors: whether its
   * key is "constructor".
   */
  #objects = 0;
  #constructors = 0;
  #isConstructorNext = false;
  /** Where the current key began in this piece, and the part of it that arrived in earlier pieces. */
  #keyStart = 0;
  #keyBefore = '';
  #isObject = false;

  /** Whether the outermost value is an object. */
  get isObject(): boolean {
    return this.#isObject;
  }

  /** Checks the next bytes. @throws a refusal at the first wrong one */
  push(piece: Buffer): void {
    let state = this.#state;
    this.#keyStart = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const step = NEXT[(state << 8) | (piece[index] as number)] as number;
      state = step < FIRST_ACTION ? step : this.#act(step, piece, index);
      if (state === INVALID) throw refusals.invalidJson();
    }
    if (KEY_STATES.has(state)) this.#keyBefore = this.#readKey(piece, piece.length);
    this.#state = state;
  }

  /** Call it after the last bytes. @throws a refusal when the value is incomplete */
  end(): void {
    if (this.#depth > 0 || !FINAL.has(this.#state)) throw refusals.invalidJson();
  }

  /** @returns the next state */
  #act(step: number, piece: Buffer, index: number): number {
    const isInObject = this.#depth > 0 && (this.#objects & 1) === 1;
    switch (step) {
      case OPEN_OBJECT:
        return this.#open(1);
      case OPEN_LIST:
        return this.#open(0);
      case CLOSE_OBJECT:
        return isInObject ? this.#close() : INVALID;
      case CLOSE_LIST:
        return this.#depth > 0 && !isInObject ? this.#close() : INVALID;
      case COMMA:
        this.#isConstructorNext = false;
        if (this.#depth === 0) return INVALID;
        return isInObject ? NEXT_KEY : VALUE_NEXT;
      case BEGIN_KEY:
        this.#keyStart = index + 1;
        this.#keyBefore = '';
        return IN_KEY;
      default:
        return this.#endKey(piece, index) ? COLON : INVALID;
    }
  }

  #open(objectBit: 0 | 1): number {
    if (this.#depth === 0) this.#isObject = objectBit === 1;
    this.#depth += 1;
    if (this.#depth > BOUNDS.bodyDepth.max) throw refusals.tooDeep(BOUNDS.bodyDepth.max);
    this.#objects = (this.#objects << 1) | objectBit;
    this.#constructors = (this.#constructors << 1) | Number(this.#isConstructorNext);
    this.#isConstructorNext = false;
    return objectBit === 1 ? FIRST_KEY : FIRST_ITEM;
  }

  #close(): number {
    this.#depth -= 1;
    this.#objects >>>= 1;
    this.#constructors >>>= 1;
    return AFTER_VALUE;
  }

  /** The part of the current key that was read, with its escapes. Cut one character after the longest dangerous key. */
  #readKey(piece: Buffer, end: number): string {
    const rest = piece.toString('latin1', this.#keyStart, Math.min(end, this.#keyStart + LOOKED_FOR_MAX + 1));
    return (this.#keyBefore + rest).slice(0, LOOKED_FOR_MAX + 1);
  }

  /** @returns whether the key that ends here is allowed in an object */
  #endKey(piece: Buffer, end: number): boolean {
    const length = this.#keyBefore.length + end - this.#keyStart;
    if (length < LOOKED_FOR_MIN || length > LOOKED_FOR_MAX) return true;
    const written = this.#readKey(piece, end);
    const key = written.includes('\\') ? JSON.parse(`"${written}"`) : written;
    this.#isConstructorNext = key === 'constructor';
    return key !== '__proto__' && !(key === 'prototype' && (this.#constructors & 1) === 1);
  }
}
