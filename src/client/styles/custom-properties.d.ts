import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The hue of a category, read by the class `category`. */
    '--hue'?: number;
  }
}
