from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def plaintext(request):
    return PlainTextResponse("Hello, World!")


async def json_sum(request):
    return PlainTextResponse(f"sum = {sum(await request.json())}")


app = Starlette(routes=[Route("/plaintext", plaintext), Route("/json-sum", json_sum, methods=["POST"])])
