/** Texts that do something where they are taken for anything but text: run `window.pwned = 1`, or open a dialog. */
export const HOSTILE_TEXTS = [
  '<img src=x onerror=window.pwned=1>',
  '"><script>window.pwned=1</script>',
  'javascript:alert(1)',
  '{{7*7}}${alert(1)}',
  `${'W'.repeat(225)}<svg/onload=alert(1)>`,
] as const;
