/** A scheme, a mailbox, or a name with a dot in it. With a single letter before the dot it is a degree: B.Sc. */
const ADDRESS =
  /\bhttps?:|:\s*\/\/|@|\bwww\.|\b[a-z\d-]+\.(?:com|org|net|edu|io|gov)\b|(?<![\p{L}\d-])[\p{L}\d-]{2,}[.。]\p{L}{2,}/iu;

/** An address in words: "evil dot example", "me (at) evil". */
const SPELLED_ADDRESS = /\bdot\b|[([{]\s*(?:at|dot|punkt|punto|arroba)\s*[)\]}]/iu;

/** Four numbers with dots, or several groups with colons. */
const IP_ADDRESS = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)|(?:(?<![\da-f])[\da-f]{1,4}:){2,}/iu;

/** Services on which strangers ask people to contact them. */
const MESSENGER =
  /\b(?:telegram|whats\s?app|we\s?chat|weixin|viber|discord|instagram|snapchat|tik\s?tok|facebook|messenger|skype|kakao\s?talk|signal\s+(?:app|chat|group))\b/iu;

/** Five digits or more in words: a number that is spoken. */
const SPOKEN_NUMBER = /(?:\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)\b[\s,.-]*){5,}/iu;

/**
 * Digits with the separators that people write within one number. Digits at the end of a longer word belong to a name.
 */
const NUMBER = /(?<!\p{Nd}|\p{L}{5})\p{Nd}(?:[\s().,/+–-]*\p{Nd})*/gu;
/** A number with at most this many digits is a year, a share or a small amount. */
const SHORT_NUMBER_DIGITS = 4;

/** The digits of a number, without its separators. */
export const digitsOf = (number: string) => number.replaceAll(/\P{Nd}/gu, '');

/**
 * Whether a text could lead its readers elsewhere: to an address, a messenger or a telephone.
 * @param isOwnNumber whether a longer number is one that the text may state
 */
export function hasContactDetails(text: string, isOwnNumber: (number: string) => boolean = () => false): boolean {
  const plain = text.normalize('NFKC');
  if ([ADDRESS, SPELLED_ADDRESS, IP_ADDRESS, MESSENGER, SPOKEN_NUMBER].some((pattern) => pattern.test(plain))) {
    return true;
  }
  const long = [...plain.matchAll(NUMBER)]
    .map(([number]) => number)
    .filter((number) => digitsOf(number).length > SHORT_NUMBER_DIGITS);
  return !long.every(isOwnNumber);
}

/** Whether two numbers are the same, however their digits are grouped. */
export const isSameNumber = (one: string, other: string) => digitsOf(one) === digitsOf(other);

/** The numbers in a text. */
export const numbersOf = (text: string): string[] =>
  [...text.normalize('NFKC').matchAll(NUMBER)].map(([number]) => number);
