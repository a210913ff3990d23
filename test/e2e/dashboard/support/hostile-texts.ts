/** Texts that do something where they are taken for anything but text: run `window.pwned = 1`, open a dialog, turn a line round. */
export const HOSTILE_TEXTS = [
  '<img src=x onerror=window.pwned=1>',
  '"><script>window.pwned=1</script>',
  'javascript:alert(1)',
  '\u202Eesrever\u202D{{7*7}}${alert(1)}',
  `${'W'.repeat(225)}<svg/onload=alert(1)>`,
] as const;
