// dipcc, asked by batch lines in all phases. It tells where units are and may go, and nothing of orders.
// With --time it answers all lines at the end, with the processor time that each took.
//
// It is compiled with the sources of dipcc (dipcc/dipcc/cc) on the include path, and linked with them and glog.

#include "adjacencies.h"
#include "game_state.h"
#include "loc.h"
#include "order.h"
#include "power.h"
#include "thirdparty/nlohmann/json.hpp"

#include <algorithm>
#include <ctime>
#include <glog/logging.h>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

using dipcc::GameState;
using dipcc::Loc;
using dipcc::Order;
using dipcc::OrderType;
using dipcc::OwnedUnit;
using dipcc::Phase;
using dipcc::Power;
using dipcc::UnitType;
using nlohmann::json;

namespace {

/// Says that dipcc does not judge a position, or cannot be told it.
struct Skip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Loc place(const std::string &text) {
  Loc found = dipcc::loc_from_str(text);
  if (found == Loc::NONE)
    throw Skip("there is no place " + text);
  return found;
}

Power power(const std::string &name) {
  static const std::vector<std::string> names = {"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"};
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Skip("there is no power " + name);
  return dipcc::power_from_str(name);
}

/// `F SPA/SC`
OwnedUnit unit(Power owner, const std::string &text) {
  return {owner, text[0] == 'A' ? UnitType::ARMY : UnitType::FLEET, place(text.substr(2))};
}

std::string written(const OwnedUnit &one) {
  return std::string(one.type == UnitType::ARMY ? "A " : "F ") + dipcc::loc_str(one.loc);
}

const std::vector<Loc> &adjacent(const OwnedUnit &one) {
  return (one.type == UnitType::ARMY ? dipcc::ADJ_A : dipcc::ADJ_F)[static_cast<size_t>(one.loc)];
}

/// dipcc calls a move over no border illegal unless it is ordered VIA: such a move of an army can only be meant so.
Order order(const std::string &text) {
  Order read;
  try {
    read = Order(text);
  } catch (const std::exception &) {
    throw Skip("dipcc cannot read the order " + text);
  }
  bool by_convoy = read.get_type() == OrderType::M && read.get_unit().type == UnitType::ARMY;
  if (by_convoy && !read.get_via()) {
    const auto &near = adjacent(read.get_unit().owned_by(Power::NONE));
    if (std::find(near.begin(), near.end(), read.get_dest()) == near.end())
      return read.with_via(true);
  }
  return read;
}

/// The orders of the power that gives them; of two to one unit the later counts, as in dipcc's own games.
std::unordered_map<Power, std::vector<Order>> orders(const json &asked, GameState &state) {
  std::unordered_map<Power, std::vector<Order>> found;
  for (const auto &[name, texts] : asked.items()) {
    auto &given = found[power(name)];
    const auto &orderable = state.get_orderable_locations();
    auto own = orderable.find(power(name));
    for (const std::string text : texts) {
      if (text == "WAIVE")
        continue;
      Order one = order(text);
      Loc root = dipcc::root_loc(one.get_unit().loc);
      if (own == orderable.end() || std::find(own->second.begin(), own->second.end(), root) == own->second.end())
        continue;
      auto same = [&](const Order &other) { return other.get_unit().loc == one.get_unit().loc; };
      given.erase(std::remove_if(given.begin(), given.end(), same), given.end());
      given.push_back(one);
    }
  }
  return found;
}

json units(const GameState &state) {
  json told = json::object();
  for (const auto &[loc, one] : state.get_units())
    told[dipcc::power_str(one.power)].push_back(written(one));
  return told;
}

json dislodged(GameState &state) {
  json told = json::object();
  for (const OwnedUnit &one : state.get_dislodged_units()) {
    json retreats = json::array();
    for (const Order &possible : state.get_all_possible_orders().at(one.loc))
      if (possible.get_type() == OrderType::R)
        retreats.push_back(dipcc::loc_str(possible.get_dest()));
    told[dipcc::power_str(one.power)][written(one)] = retreats;
  }
  return told;
}

/// dipcc derives the places to which units may go: it is told of places that are open to nobody as contested, and of one that
/// is open to another unit only as whence the attacker came.
void set_dislodged(GameState &state, const json &asked) {
  std::map<OwnedUnit, std::set<Loc>> may;
  std::set<Loc> open;
  for (const auto &[name, lost] : asked.items())
    for (const auto &[text, places] : lost.items()) {
      auto &mine = may[unit(power(name), text)];
      for (const std::string to : places)
        mine.insert(dipcc::root_loc(place(to)));
      open.insert(mine.begin(), mine.end());
    }
  for (const auto &[one, mine] : may) {
    Loc attacker = Loc::NONE;
    for (Loc near : adjacent(one)) {
      Loc root = dipcc::root_loc(near);
      if (mine.count(root) || state.get_unit_rooted(root).type != UnitType::NONE)
        continue;
      if (!open.count(root))
        state.add_contested_loc(root);
      else if (attacker == Loc::NONE || attacker == root)
        attacker = root;
      else
        throw Skip("dipcc derives the places to which units may go, and would find others");
    }
    state.add_dislodged_unit(one, attacker);
  }
}

/// dipcc needs an owner for each home centre. Those that have none go to a power which has nothing in this position, and
/// gives no orders: so nothing comes of them.
void set_centers(GameState &state, const json &asked) {
  std::set<Power> named;
  std::map<Loc, Power> owners;
  for (const char *key : {"units", "orders", "centers"})
    for (const auto &[name, texts] : asked.at(key).items())
      named.insert(power(name));
  for (const auto &[name, places] : asked.at("centers").items())
    for (const std::string center : places)
      owners[place(center)] = power(name);
  auto idle = std::find_if(std::begin(dipcc::POWERS), std::end(dipcc::POWERS), [&](Power one) { return !named.count(one); });
  for (Loc loc : dipcc::LOCS)
    if (dipcc::is_center(loc) && dipcc::root_loc(loc) == loc && !owners.count(loc)) {
      if (idle == std::end(dipcc::POWERS))
        throw Skip("dipcc needs an owner for each centre, and every power has something here");
      owners[loc] = *idle;
    }
  for (const auto &[center, owner] : owners)
    state.set_center(center, owner);
}

/// A position with its orders, in dipcc's own values.
struct Posed {
  GameState state;
  std::unordered_map<Power, std::vector<Order>> given;
};

Posed posed(const json &asked) {
  if (asked.value("map", "standard") != "standard")
    throw Skip("only the standard map");
  std::string phase = asked.value("phase", "movement");
  GameState state;
  for (const auto &[name, texts] : asked.at("units").items())
    for (const std::string text : texts) {
      OwnedUnit one = unit(power(name), text);
      state.set_unit(one.power, one.type, one.loc);
    }
  if (phase == "movement") {
    state.set_phase(Phase('S', 1901, 'M'));
  } else if (phase == "retreat") {
    state.set_phase(Phase('S', 1901, 'R'));
    set_dislodged(state, asked.at("dislodged"));
  } else if (phase == "adjustment") {
    state.set_phase(Phase('W', 1901, 'A'));
    set_centers(state, asked);
  } else {
    throw Skip("no " + phase + " phases");
  }
  auto given = orders(asked.at("orders"), state);
  return {state, given};
}

json judged(const json &asked) {
  Posed here = posed(asked);
  GameState next = here.state.process(here.given);
  json told = {{"units", units(next)}};
  if (asked.value("phase", "movement") == "movement")
    told["dislodged"] = dislodged(next);
  return told;
}

json answered(const std::string &line) {
  json asked = json::parse(line), told;
  try {
    told = judged(asked);
  } catch (const Skip &skip) {
    told = {{"skip", skip.what()}};
  } catch (const std::exception &error) {
    told = {{"error", error.what()}};
  }
  told["id"] = asked["id"];
  return told;
}

/// Seconds of the processor that this process has used.
double processor_time() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

/// The answers to some lines, each with the seconds that it took: from line to line, and `process` alone with everything set up
/// before, as also what orders are possible.
std::vector<json> timed(const std::vector<std::string> &lines) {
  std::vector<json> told;
  std::vector<Posed> ready;
  for (const std::string &line : lines) {
    double began = processor_time();
    std::string written = answered(line).dump();
    double seconds = processor_time() - began;
    told.push_back(json::parse(written));
    bool judges = told.back().contains("units");
    ready.push_back(judges ? posed(json::parse(line)) : Posed());
    if (judges)
      told.back()["seconds"] = {{"line to line", seconds}};
  }
  for (size_t index = 0; index < lines.size(); ++index)
    if (told[index].contains("units")) {
      double began = processor_time();
      GameState next = ready[index].state.process(ready[index].given);
      told[index]["seconds"]["judging"] = processor_time() - began;
    }
  return told;
}

} // namespace

int main(int count, char **arguments) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = google::GLOG_FATAL;
  google::InitGoogleLogging(arguments[0]);
  std::vector<std::string> kept;
  bool timing = count > 1 && std::string(arguments[1]) == "--time";
  for (std::string line; std::getline(std::cin, line);)
    if (timing)
      kept.push_back(line);
    else
      std::cout << answered(line).dump() << std::endl;
  timed(kept); // once to warm up
  for (const json &told : timed(kept))
    std::cout << told.dump() << '\n';
}
