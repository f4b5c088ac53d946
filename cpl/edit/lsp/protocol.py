"""The protocol as pygls has it, with an answer to every request: in each state of the session, whatever its parameters.

pygls drops a request whose parameters do not fit, and takes a number for a text.
"""

import sys
from collections.abc import Generator
from typing import Any

from cattrs import Converter, transform_error
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)

from cpl import outside
from cpl.edit.lsp.places import uri_of


def converter() -> Converter:
    """Return what turns JSON into the types of the protocol; it takes no value for one of another type."""
    strict: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in (bool, int, str):  # and the enumerations of numbers and texts
        strict.register_structure_hook(kind, _exactly)
    return strict


def _exactly(value: Any, kind: type) -> Any:
    if isinstance(value, bool) != issubclass(kind, bool) or kind(value) != value:
        raise ValueError(f"{value!r} is not of type {kind.__name__}")
    return kind(value)


class Protocol(LanguageServerProtocol):
    """The language server protocol of one session."""

    def structure_message(self, data: Any) -> Any:
        """Return data as they are: JSON calls this for objects within others, too. `handle_message` structures them."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle a message. If it is a request that cannot be handled, answer with an error."""
        try:
            if (structured := self._structured(message)) is not None:
                super().handle_message(structured)
        except JsonRpcException as error:
            request: Any = message if isinstance(message, dict) else {"id": None}
            if "id" in request and not {"result", "error"} & request.keys():  # notifications and answers get none
                self._send_response(request["id"], error=error.to_response_error())

    def _structured(self, message: Any) -> Any:
        """Return a message in the types of the protocol, or None if it is to be ignored. Raises JsonRpcException."""
        has_begun = self._workspace is not None
        match message:
            case {"jsonrpc": "2.0", "method": str(method), "id": str() | int()}:
                if not has_begun and method != lsp.INITIALIZE:
                    raise JsonRpcServerNotInitialized("the session has not begun")
                if self._shutdown or (has_begun and method == lsp.INITIALIZE):
                    raise JsonRpcInvalidRequest(f"the session has {'ended' if self._shutdown else 'begun'} already")
            case {"jsonrpc": "2.0", "method": str(method)} if "id" not in message:
                if method != lsp.EXIT and (self._shutdown or not has_begun):
                    return None
            case {"jsonrpc": "2.0", "id": str() | int(), **rest} if rest.keys() & {"result", "error"}:
                return super().structure_message(message)
            case _:
                raise JsonRpcInvalidRequest("this is not a message of the protocol")
        kind = self.get_message_type(method) or (JsonRPCRequestMessage if "id" in message else JsonRPCNotification)
        if "id" in message and not hasattr(kind, "id"):
            raise JsonRpcMethodNotFound(f"{method} is not a request")
        try:
            return self._converter.structure({"params": None} | message, kind)
        except Exception as error:  # cattrs raises whatever the types raise
            raise JsonRpcInvalidParams("; ".join(transform_error(error))) from None

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Begin the session. A root is a folder like others; when the editor ends, so does the server."""
        root = params.root_uri or (uri_of(params.root_path) if params.root_path else None)
        if root and not params.workspace_folders:
            params.workspace_folders = [lsp.WorkspaceFolder(root, "")]
        params.root_uri = params.root_path = None
        editor = params.process_id
        if editor and outside.is_running(editor):  # one in another container has a number that means nothing here
            outside.end_unless(lambda: outside.is_running(editor))
        return (yield from super().lsp_initialize(params))

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *args: Any) -> Any:
        """End the process. What is still being done is answered before, so the output stays open."""
        sys.exit()

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Any:
        """End the session, and all that is still being done; who asked for it is told so."""
        self._shutdown = True
        for request in [*self._request_futures.values()]:  # which cancelling changes
            request.cancel()
