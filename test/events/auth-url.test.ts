// Proves that only URLs that open a page or an app count as safe, however a dangerous one is disguised.

import fc from 'fast-check'
import { isSafeAuthUrl } from 'turnstream'
import { expect, it } from 'vitest'

it.each([
  'https://login.example/authorize?client=agent#top',
  'HTTPS://LOGIN.EXAMPLE',
  'http://localhost:8080/callback',
  'http://127.0.0.1/',
  'http://[::1]:3000/',
  'com.example.app:/oauth',
  'com.example.app://oauth?x=1',
])('opens %s', (url) => {
  expect(isSafeAuthUrl(url)).toBe(true)
})

it.each([
  undefined,
  null,
  7,
  '',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://login.example/1',
  'filesystem:https://login.example/1',
  'about:blank',
  'ms-msdt:/id',
  'intent://scan/#Intent;end',
  'ftp://login.example',
  '/authorize',
  '//login.example',
  'login.example/authorize',
  'https:',
  'http://login.example',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'https://login.example@evil.example/',
  'https://@evil.example/',
  'https:/login',
  'https:login.example',
  'http:localhost',
  'https://login.example/\u202egnp.exe',
  'https://login.example\\@evil.example/',
])('refuses %j', (url) => {
  expect(isSafeAuthUrl(url)).toBe(false)
})

it('refuses every URL that a browser does not read as one of the safe schemes, and never throws', () => {
  const scheme = fc.constantFrom(
    'javascript:',
    'data:',
    'vbscript:',
    'file:',
    'blob:',
    'https:',
    'com.example:',
  )
  const noise = fc.constantFrom('', ' ', '\t', '\n', '\0', '\u00a0', '/', '\\', '//', 'x')
  fc.assert(
    fc.property(noise, scheme, noise, fc.string(), (before, name, after, rest) => {
      const url = before + name.slice(0, 4) + after + name.slice(4) + rest
      if (isSafeAuthUrl(url))
        expect(new URL(url).protocol).toMatch(/^(?:https:|http:|[a-z\d-]+\.[a-z\d.-]+:)$/)
    }),
  )
  fc.assert(
    fc.property(fc.anything(), (value) => {
      isSafeAuthUrl(value)
    }),
  )
})
