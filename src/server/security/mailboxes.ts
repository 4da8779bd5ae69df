/**
 * The mailbox that an address belongs to, for counting alone and never as an identity: many providers deliver
 * `box+anything@` to `box@`, so one person has as many addresses as they like.
 */
export function foldMailbox(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}
