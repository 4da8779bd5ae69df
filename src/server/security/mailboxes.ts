/**
 * The mailbox of an address, only for counting and never as an identity: many providers deliver `box+anything@` to
 * `box@`, so that one person has any number of addresses.
 */
export function foldMailbox(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}
