"""Runs a game on Discord: players write their orders to it, the game master writes `!next` (pip install discord.py)."""

import io
import os
from pathlib import Path

import discord
from discord.ext import commands

from satjudge import Game, InputError, render

FILE, POWERS = Path("game.json"), {"anna": "FRANCE", "bob": "GERMANY"}  # who plays what, by their names on Discord
bot = commands.Bot(command_prefix="!", intents=discord.Intents(guilds=True, messages=True, message_content=True))


@bot.command()
async def orders(ctx: commands.Context, *, text: str) -> None:
    """Give orders: `!orders A PAR - BUR, F BRE - MAO`, best in a private message."""
    power = POWERS.get(ctx.author.name, "nobody")
    try:
        with Game.open(FILE) as game:
            message = game.read_message(power, text)
        illegal = [f"{order} is not legal: {why}" for order, why in game.illegal_orders.get(power, {}).items()]
        answer = [*message.remarks, *illegal, "Your orders:", *message.orders]
    except InputError as error:
        answer = [str(error)]
    await ctx.send("\n".join(answer)[:2000])


@bot.command(name="next")
@commands.is_owner()
async def go_on(ctx: commands.Context, *, deadline: str = "") -> None:
    """Judge the phase, and send the report with a picture of it: `!next Sunday 20:00`."""
    with Game.open(FILE) as game:
        game.next()
    picture, report = render.svg(game.history[-1]), game.report("markdown", deadline=deadline or None)
    named = {f"{game.history[-1].phase_name}.svg": picture, f"{game.history[-1].phase_name}.md": report}
    files = [discord.File(io.BytesIO(content.encode()), name) for name, content in named.items()]
    await ctx.send(f"**{game.phase_name}** is next. {game.ending or ''}", files=files)


if __name__ == "__main__":
    if not FILE.exists():
        Game.new(name="our game").save(FILE)
    bot.run(os.environ["DISCORD_TOKEN"])
