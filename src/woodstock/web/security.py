"""Who may ask what: the middleware that every request and every WebSocket passes.

- Without a token the site listens on the loopback address only, and the Host header must name it: a page elsewhere
  cannot reach the site under a name of its own (DNS rebinding).
- With a token, a browser shows it once in the address and gets a cookie.
- A request that changes something, and every WebSocket, must come from a page of this site (Origin).
- Every answer carries a Content-Security-Policy that allows scripts and styles of this site only, none in the page.
- A request body has a limit.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from woodstock.web.settings import LOOPBACK, WebSettings

TOKEN_COOKIE = "woodstock_token"
BROWSER_COOKIE = "woodstock_browser"
_YEAR_S = 365 * 24 * 3600
_SAFE = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"^(\[[0-9a-fA-F:]+\]|[^:]+)(?::\d+)?$")


def policy(nonce: str) -> str:
    """Return the Content-Security-Policy. The nonce is for the style sheet that the text editor makes."""
    parts = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self' data: blob:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


class Guard:
    """The middleware. It adds to the scope: `browser`, an identity of the browser; `nonce`, for this answer."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookies = _cookies(headers)
        scope["nonce"] = nonce = secrets.token_urlsafe(16)
        refusal = self._refusal(scope, headers, cookies)
        if refusal is not None:
            await self._refuse(refusal, nonce, scope, receive, send)
            return
        known = cookies.get(BROWSER_COOKIE, "")
        scope["browser"] = browser = known if re.fullmatch(r"[\w-]{16,64}", known) else secrets.token_urlsafe(16)
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        made = [] if browser == known else [_cookie(BROWSER_COOKIE, browser)]
        await self._app(scope, _limited(receive, self._settings.body_bytes), _protected(send, nonce, made))

    def _refusal(self, scope: Scope, headers: Headers, cookies: dict[str, str]) -> Response | None:
        """Return the answer to a request that may not pass; None if it may."""
        token = self._settings.token
        if token is None:
            if not _names_loopback(headers.get("host", "")):
                return PlainTextResponse("this site answers under the name 127.0.0.1 or localhost only", 400)
        elif not hmac.compare_digest(cookies.get(TOKEN_COOKIE, "").encode(), token.encode()):
            shown = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"))).get("token", "")
            if scope["type"] == "websocket" or not hmac.compare_digest(shown.encode(), token.encode()):
                return PlainTextResponse("open the address with the token that `woodstock web` printed", 403)
            answer = RedirectResponse(_without_token(scope), 303)
            answer.headers.append("set-cookie", _cookie(TOKEN_COOKIE, token))
            return answer
        is_asking = scope["type"] == "http" and scope["method"] in _SAFE
        if not is_asking and not _is_same_origin(headers):
            return PlainTextResponse("this request does not come from a page of this site", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._settings.body_bytes:
            return PlainTextResponse(f"a request may have {self._settings.body_bytes} bytes", 413)
        return None

    @staticmethod
    async def _refuse(answer: Response, nonce: str, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await answer(scope, receive, _protected(send, nonce, ()))


def _protected(send: Send, nonce: str, cookies: Iterable[str]) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = policy(nonce)
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            for cookie in cookies:
                headers.append("set-cookie", cookie)
        await send(message)

    return wrapped


def _limited(receive: Receive, most: int) -> Receive:
    """Return a `receive` that ends a body of unknown length when it grows too long."""
    seen = 0

    async def wrapped() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                return {"type": "http.disconnect"}
        return message

    return wrapped


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _cookie(name: str, value: str) -> str:
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={_YEAR_S}"


def _names_loopback(host: str) -> bool:
    found = _HOST.match(host)
    return found is not None and found[1].strip("[]").lower() in LOOPBACK


def _is_same_origin(headers: Headers) -> bool:
    origin, host = headers.get("origin", ""), headers.get("host", "")
    return bool(host) and urlsplit(origin).netloc.lower() == host.lower()


def _without_token(scope: Scope) -> str:
    # The path is used as it is on this site; a leading // would name another one.
    path = "/" + scope["path"].lstrip("/")
    query = [(k, v) for k, v in parse_qsl(scope["query_string"].decode("latin-1")) if k != "token"]
    return f"{path}?{urlencode(query)}" if query else path
