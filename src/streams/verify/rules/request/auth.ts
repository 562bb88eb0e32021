/** Rules of authentication requests. */

import { describeValue } from '../../../../core/require.ts'
import { isSafeAuthUrl } from '../../../../events/auth-url.ts'
import { defineRule, ERROR, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { Checks } from '../../context.ts'
import type { AuthRuleName } from '../../rule-names.ts'
import { checkResponder, closeRequest, expiryOf, openRequest } from './request.ts'

export const authRules: Rules<AuthRuleName> = {
  'auth-once': defineRule('K32', 'stated', ERROR, 'Each `authId` of a task has one `auth-required`.'),
  'auth-open': defineRule(
    'K32',
    'stated',
    ERROR_LENIENT_WARN,
    '`auth-completed` and `auth-failed` belong to an open `auth-required` of the same task.',
  ),
  'auth-url': defineRule('K32', 'inferred', ERROR_WARN_OFF, 'An `oauth2` request has an `authUrl`.'),
  'auth-url-safe': defineRule(
    'K49',
    'added',
    ERROR_LENIENT_WARN,
    'An `authUrl` is https, http of the same computer, or has the scheme of an app, such as `com.example.app:`.',
  ),
}

export const authChecks: Checks<'auth-required' | 'auth-completed' | 'auth-failed'> = {
  'auth-required'(context, event) {
    const { kind, authId, authType, authUrl, metadata, timestamp } = event
    checkResponder(context, event)
    if (authUrl === undefined) {
      if (authType === 'oauth2') {
        context.report('auth-url', 'Expected an authUrl with authType oauth2, got none.', {
          path: '/authUrl',
        })
      }
    } else if (!isSafeAuthUrl(authUrl)) {
      const message = `Expected an authUrl with https or the scheme of an app, got ${describeValue(authUrl)}.`
      context.report('auth-url-safe', message, { path: '/authUrl', actual: authUrl })
    }
    const expiresAt = expiryOf(timestamp, metadata?.expiresIn)
    const request = { requireUser: true, expiresAt, toolCallId: null }
    openRequest(context, 'auths', kind, authId, request)
  },

  'auth-completed'(context, { kind, authId, timestamp }) {
    closeRequest(context, 'auths', kind, authId, timestamp)
  },

  'auth-failed'(context, { kind, authId }) {
    closeRequest(context, 'auths', kind, authId)
  },
}
